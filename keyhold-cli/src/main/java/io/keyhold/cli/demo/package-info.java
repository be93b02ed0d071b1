/**
 * The demo: contending worker processes, one of which is killed, and the proof that the locks excluded them. Reading order:
 * {@code Demo} runs everything; {@code WorkerProcesses} has the processes, each of which runs {@code Worker}; {@code OccupancyChecker}
 * and {@code EventLog} observe them, and {@code Report} evaluates what they observed.
 */
@NullMarked
package io.keyhold.cli.demo;

import org.jspecify.annotations.NullMarked;
