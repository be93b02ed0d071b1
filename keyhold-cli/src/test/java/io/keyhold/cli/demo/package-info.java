/** Tests of io.keyhold.cli.demo. */
@NullMarked
package io.keyhold.cli.demo;

import org.jspecify.annotations.NullMarked;
