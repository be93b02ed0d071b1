/** What Keyhold's own tests, and those of other drivers and stores, are made of. */
@NullMarked
package io.keyhold.testkit;

import org.jspecify.annotations.NullMarked;
