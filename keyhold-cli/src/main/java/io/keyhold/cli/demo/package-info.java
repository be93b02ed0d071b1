/**
 * The demonstration: workers in processes of their own that contend, one of which is killed, and the proof of what they did. Reading
 * order: {@code Demo} directs, {@code Crew} has the processes, each runs {@code Worker}; {@code Witness} and {@code Chronicle} see what
 * they do, and {@code Verdict} says what that proves.
 */
@NullMarked
package io.keyhold.cli.demo;

import org.jspecify.annotations.NullMarked;
