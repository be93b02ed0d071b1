/** Tests of the console without a browser. */
@NullMarked
package io.keyhold.console.internal;

import org.jspecify.annotations.NullMarked;
