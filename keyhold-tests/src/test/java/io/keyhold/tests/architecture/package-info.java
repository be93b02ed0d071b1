/** The map of the code and the public API, as tests. */
@NullMarked
package io.keyhold.tests.architecture;

import org.jspecify.annotations.NullMarked;
