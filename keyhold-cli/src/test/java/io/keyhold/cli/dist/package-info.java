/** A step of the build, with its test: what is changed in the command's jar so that it starts faster. */
@NullMarked
package io.keyhold.cli.dist;

import org.jspecify.annotations.NullMarked;
