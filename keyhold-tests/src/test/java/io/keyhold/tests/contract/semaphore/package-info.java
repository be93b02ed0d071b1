/**
 * The contract of semaphores, for authors of stores and drivers: {@link io.keyhold.tests.contract.semaphore.SemaphoreContract} is what
 * every store does, {@link io.keyhold.tests.contract.semaphore.FairSemaphoreContract} what a store with a queue does in addition.
 */
@NullMarked
package io.keyhold.tests.contract.semaphore;

import org.jspecify.annotations.NullMarked;
