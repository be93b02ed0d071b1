/**
 * What a user of Keyhold types: {@link io.keyhold.Keyhold} opens a client, {@link io.keyhold.DistributedLock} is taken,
 * {@link io.keyhold.Lease} is what one holds. Arguments are never null, and a bad one is refused with an
 * {@link java.lang.IllegalArgumentException} (or {@link java.lang.NullPointerException}) before anything is sent.
 */
@NullMarked
package io.keyhold;

import org.jspecify.annotations.NullMarked;
