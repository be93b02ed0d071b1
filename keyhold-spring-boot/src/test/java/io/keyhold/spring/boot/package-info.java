/** The auto-configuration in real contexts. */
@NullMarked
package io.keyhold.spring.boot;

import org.jspecify.annotations.NullMarked;
