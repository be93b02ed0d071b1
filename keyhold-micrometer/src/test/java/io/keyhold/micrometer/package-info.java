/** Tests of the meters and observations, in memory and on Redis. */
@NullMarked
package io.keyhold.micrometer;

import org.jspecify.annotations.NullMarked;
