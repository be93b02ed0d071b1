@file:JvmName("LeaseCoroutines")

package io.keyhold.kotlin

import io.keyhold.Lease
import io.keyhold.LeaseLostException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.isActive
import kotlinx.coroutines.job
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext

/**
 * Waits for the lease. The future arbitrates between a grant and a cancellation: it is cancelled, which withdraws the request, or it has a lease that this
 * coroutine no longer takes, which is released.
 */
internal suspend fun CompletableFuture<Lease>.awaitLease(): Lease = suspendCancellableCoroutine { waiting ->
    whenComplete { lease: Lease?, failure: Throwable? ->
        if (lease != null) {
            waiting.resume(lease) { _, untaken, _ -> untaken.releaseAsync() }
        } else {
            waiting.resumeWithException(causeOf(failure))
        }
    }
    waiting.invokeOnCancellation { cancel(true) }
}

private fun causeOf(failure: Throwable?): Throwable =
    (failure as? CompletionException)?.cause ?: failure ?: IllegalStateException("neither a lease nor a failure")

/** Runs the block under this lease and releases, whatever becomes of the block. */
internal suspend fun <T> Lease.use(block: suspend CoroutineScope.(Lease) -> T): T {
    val lost = AtomicBoolean()
    val result = try {
        coroutineScope {
            val scope = coroutineContext
            lost().thenAccept { loss ->
                lost.set(true)
                scope.job.cancel(CancellationException(loss.detail()))
            }
            withContext(LeaseElement(this@use, scope[LeaseElement])) { block(this@use) }
        }
    } catch (failure: Throwable) {
        val loss = end()
        // A cancellation from outside takes precedence: it must reach the code that waits for it.
        if (failure is CancellationException && lost.get() && loss != null && currentCoroutineContext().isActive) {
            throw loss
        }
        if (loss != null && failure !is LeaseLostException) {
            failure.addSuppressed(loss)
        }
        throw failure
    }
    end()?.let { throw it }
    return result
}

/** Releases, also in a cancelled coroutine. Returns the loss if the lease was lost. */
private suspend fun Lease.end(): LeaseLostException? = withContext(NonCancellable) {
    suspendCancellableCoroutine { waiting -> releaseAsync().whenComplete { _, _ -> waiting.resume(Unit) } }
    try {
        // After the release this calls no server.
        close()
        // The block may have closed it itself, which throws only once. Its own exception may be the cancellation by the loss.
        lost().toCompletableFuture().getNow(null)?.let { LeaseLostException(it.detail(), it) }
    } catch (e: LeaseLostException) {
        e
    }
}
