/** Tests of io.keyhold.cli.doctor. */
@NullMarked
package io.keyhold.cli.doctor;

import org.jspecify.annotations.NullMarked;
