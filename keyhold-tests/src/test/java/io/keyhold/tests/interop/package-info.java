/** Keyhold together with other libraries that lock the same keys. */
@NullMarked
package io.keyhold.tests.interop;

import org.jspecify.annotations.NullMarked;
