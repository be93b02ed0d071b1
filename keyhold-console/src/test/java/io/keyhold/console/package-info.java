/** Tests of the console without a browser. */
@NullMarked
package io.keyhold.console;

import org.jspecify.annotations.NullMarked;
