/**
 * Keyhold in Micrometer: {@link io.keyhold.micrometer.KeyholdMetrics} for meters, {@link io.keyhold.micrometer.KeyholdObservations} for
 * spans. Both are listeners of a client ({@link io.keyhold.KeyholdBuilder#listener}).
 */
@NullMarked
package io.keyhold.micrometer;

import org.jspecify.annotations.NullMarked;
