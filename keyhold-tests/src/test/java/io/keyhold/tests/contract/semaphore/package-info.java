/**
 * The contract of semaphores, for whoever writes a store or a driver: {@link io.keyhold.tests.contract.semaphore.SemaphoreContract} is what
 * every store does, {@link io.keyhold.tests.contract.semaphore.FairSemaphoreContract} what a store with a line at the server does beside.
 */
@NullMarked
package io.keyhold.tests.contract.semaphore;

import org.jspecify.annotations.NullMarked;
