/** Tests of the extension and of the assertions. */
@NullMarked
package io.keyhold.junit;

import org.jspecify.annotations.NullMarked;
