/** The documentation: its code compiles, its first example runs, its links lead somewhere. */
@NullMarked
package io.keyhold.tests.docs;

import org.jspecify.annotations.NullMarked;
