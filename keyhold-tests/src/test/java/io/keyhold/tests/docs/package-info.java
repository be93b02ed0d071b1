/** The documentation: its code compiles, its first example runs, its links have a target. */
@NullMarked
package io.keyhold.tests.docs;

import org.jspecify.annotations.NullMarked;
