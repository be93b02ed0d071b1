/** The modules as modules: what they export, what they require, and that programs on a module path can use them. */
@NullMarked
package io.keyhold.tests.modules;

import org.jspecify.annotations.NullMarked;
