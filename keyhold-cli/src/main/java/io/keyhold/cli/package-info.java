/** The keyhold command. */
@NullMarked
package io.keyhold.cli;

import org.jspecify.annotations.NullMarked;
