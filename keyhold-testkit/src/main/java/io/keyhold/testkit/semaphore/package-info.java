/**
 * The contract of semaphores, for whoever writes a store or a driver: {@link io.keyhold.testkit.semaphore.SemaphoreContract} is what
 * every store does, {@link io.keyhold.testkit.semaphore.FairSemaphoreContract} what a store with a line at the server does beside.
 */
@NullMarked
package io.keyhold.testkit.semaphore;

import org.jspecify.annotations.NullMarked;
