/** Tests of io.keyhold.doctor. */
@NullMarked
package io.keyhold.doctor;

import org.jspecify.annotations.NullMarked;
