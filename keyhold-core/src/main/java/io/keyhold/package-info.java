/**
 * What a user of Keyhold types: {@link io.keyhold.Keyhold} opens a client, {@link io.keyhold.DistributedLock} is taken,
 * {@link io.keyhold.Lease} is what one holds. A bad argument, null among them, is refused with an
 * {@link java.lang.IllegalArgumentException} that names the value and the rule, before anything is sent.
 */
@NullMarked
package io.keyhold;

import org.jspecify.annotations.NullMarked;
