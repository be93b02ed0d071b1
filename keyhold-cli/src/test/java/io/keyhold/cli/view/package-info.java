/** Tests of io.keyhold.cli.view. */
@NullMarked
package io.keyhold.cli.view;

import org.jspecify.annotations.NullMarked;
