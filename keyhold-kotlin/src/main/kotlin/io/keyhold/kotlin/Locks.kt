@file:JvmName("Locks")

package io.keyhold.kotlin

import io.keyhold.DistributedLock
import io.keyhold.DistributedReadWriteLock
import io.keyhold.DistributedSemaphore
import io.keyhold.Lease
import kotlinx.coroutines.CoroutineScope

/**
 * Acquires this lock, runs [block] with its lease, and releases. No thread is blocked. Waits as [DistributedLock.acquire] does, and fails as that does.
 *
 * A cancelled coroutine withdraws its request, or cancels [block] and then releases. A lost lease cancels [block], and `withLock` throws
 * [io.keyhold.LeaseLostException]; so it does if only the release finds the loss. An exception of [block] has the loss as suppressed. A server that cannot
 * be reached for the release is no exception, as for [Lease.close].
 *
 * Inside [block], [currentLease] returns the lease.
 */
public suspend fun <T> DistributedLock.withLock(block: suspend CoroutineScope.(Lease) -> T): T =
    acquireAsync().awaitLease().use(block)

/** Acquires [permits] of this semaphore, runs [block], and releases them. Otherwise as [withLock]. */
public suspend fun <T> DistributedSemaphore.withPermits(
    permits: Int = 1,
    block: suspend CoroutineScope.(Lease) -> T,
): T = acquireAsync(permits).awaitLease().use(block)

/** Runs [block] while the read side is held. Otherwise as [withLock]. */
public suspend fun <T> DistributedReadWriteLock.withReadLock(block: suspend CoroutineScope.(Lease) -> T): T =
    readLock().withLock(block)

/** Runs [block] while the write side is held. Otherwise as [withLock]. */
public suspend fun <T> DistributedReadWriteLock.withWriteLock(block: suspend CoroutineScope.(Lease) -> T): T =
    writeLock().withLock(block)
