/** Puts a client together. Nothing below this package is exported. */
@NullMarked
package io.keyhold.internal;

import org.jspecify.annotations.NullMarked;
