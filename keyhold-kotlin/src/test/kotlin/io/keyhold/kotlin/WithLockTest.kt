package io.keyhold.kotlin

import io.keyhold.AcquireTimeoutException
import io.keyhold.Keyhold
import io.keyhold.LeaseLostException
import io.keyhold.LockOptions
import io.keyhold.junit.KeyholdAssertions.assertThat
import io.keyhold.junit.KeyholdTest
import io.keyhold.junit.LockPlace
import java.time.Duration
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.TimeUnit.MINUTES
import kotlin.concurrent.thread
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The same on a server. */
@KeyholdTest(LockPlace.REDIS)
class WithLockOnRedisTest : WithLockTest()

/** What happens to the lock when a block returns, throws, is cancelled, or loses its lease. */
@KeyholdTest
open class WithLockTest {

    @Test
    fun `block runs under the lock`(keyhold: Keyhold) = test {
        val held = keyhold.lock(KEY).withLock { lease -> lease.isHeldOnServer }
        assertThat(held).isTrue()
        assertThat(keyhold.lock(KEY).isLocked).isFalse()
    }

    @Test
    fun `exception of the block releases`(keyhold: Keyhold) = test {
        val failure = runCatching { keyhold.lock(KEY).withLock { error("card refused") } }.exceptionOrNull()
        assertThat(failure).hasMessage("card refused").hasNoSuppressedExceptions()
        assertThat(keyhold.lock(KEY).isLocked).isFalse()
    }

    @Test
    fun `cancellation ends the block and releases`(keyhold: Keyhold) = test {
        val inside = CompletableDeferred<Unit>()
        val job = launch(Dispatchers.Default) {
            keyhold.lock(KEY).withLock {
                inside.complete(Unit)
                awaitCancellation()
            }
        }
        inside.await()
        assertThat(keyhold).holds(KEY)
        job.cancelAndJoin()
        assertThat(keyhold.lock(KEY).isLocked).isFalse()
    }

    @Test
    fun `cancellation withdraws a waiting request`(keyhold: Keyhold, other: Keyhold) = test {
        val held = other.lock(KEY).acquireAsync().awaitLease()
        val job = launch(Dispatchers.Default) { keyhold.lock(KEY).withLock { error("must not run") } }
        assertThat(keyhold).waits(KEY)
        job.cancelAndJoin()
        held.release()
        assertThat(keyhold).isFree(KEY)
    }

    @Test
    fun `cancellation that meets the grant leaves no lease`(keyhold: Keyhold, other: Keyhold) = test {
        repeat(50) {
            val held = other.lock(KEY).acquireAsync().awaitLease()
            val job = launch(Dispatchers.Default) { keyhold.lock(KEY).withLock { awaitCancellation() } }
            val together = CyclicBarrier(2)
            val canceller = thread {
                together.await(1, MINUTES)
                job.cancel()
            }
            together.await(1, MINUTES)
            held.release()
            canceller.join()
            job.join()
            assertThat(other).isFree(KEY)
        }
    }

    @Test
    fun `loss cancels the block`(keyhold: Keyhold) = test {
        val cancelled = CompletableDeferred<Boolean>()
        val failure = runCatching {
            keyhold.lock(KEY, SHORT).withLock {
                val work = launch { awaitCancellation() }
                work.invokeOnCompletion { cancelled.complete(work.isCancelled) }
                keyhold.inspect().forceRelease(KEY)
                awaitCancellation()
            }
        }.exceptionOrNull()
        assertThat(failure).isInstanceOf(LeaseLostException::class.java)
        assertThat(cancelled.await()).isTrue()
        assertThat(coroutineContextIsActive()).isTrue()
    }

    @Test
    fun `loss found by the release is thrown`(keyhold: Keyhold) = test {
        val failure = runCatching {
            keyhold.lock(KEY).withLock { keyhold.inspect().forceRelease(KEY) }
        }.exceptionOrNull()
        assertThat(failure).isInstanceOf(LeaseLostException::class.java)
    }

    @Test
    fun `exception of the block has the loss as suppressed`(keyhold: Keyhold) = test {
        val failure = runCatching {
            keyhold.lock(KEY).withLock {
                keyhold.inspect().forceRelease(KEY)
                error("card refused")
            }
        }.exceptionOrNull()
        assertThat(failure).hasMessage("card refused")
        assertThat(failure!!.suppressed).singleElement().isInstanceOf(LeaseLostException::class.java)
    }

    @Test
    fun `loss is thrown although the block closed the lease`(keyhold: Keyhold) = test {
        val failure = runCatching {
            keyhold.lock(KEY, SHORT).withLock { lease ->
                (lease as AutoCloseable).use {
                    keyhold.inspect().forceRelease(KEY)
                    awaitCancellation()
                }
            }
        }.exceptionOrNull()
        assertThat(failure).isInstanceOf(LeaseLostException::class.java)
    }

    @Test
    fun `request that times out throws`(keyhold: Keyhold, other: Keyhold) = test {
        val held = other.lock(KEY).acquireAsync().awaitLease()
        val impatient = keyhold.lock(KEY).with { it.maxWait(Duration.ofMillis(50)) }
        val failure = runCatching { impatient.withLock { } }.exceptionOrNull()
        assertThat(failure).isInstanceOf(AcquireTimeoutException::class.java)
        assertThat(held.release()).isTrue()
    }

    @Test
    fun `permits are held`(keyhold: Keyhold) = test {
        val gpu = keyhold.semaphore("gpu", 4)
        assertThat(gpu.withPermits(3) { gpu.availablePermits() }).isEqualTo(1)
        assertThat(gpu.withPermits { gpu.availablePermits() }).isEqualTo(3)
        assertThat(gpu.availablePermits()).isEqualTo(4)
    }

    @Test
    fun `readers share and a writer does not`(keyhold: Keyhold, other: Keyhold) = test {
        val catalog = keyhold.readWriteLock("catalog")
        catalog.withReadLock {
            assertThat(other.readWriteLock("catalog").withReadLock { "read" }).isEqualTo("read")
            assertThat(other.readWriteLock("catalog").writeLock().tryAcquire()).isEmpty
        }
        catalog.withWriteLock {
            assertThat(other.readWriteLock("catalog").readLock().tryAcquire()).isEmpty
        }
        assertThat(keyhold).isFree("catalog")
    }

    @Test
    fun `lease is in the coroutine context`(keyhold: Keyhold) = test {
        assertThat(currentLease()).isNull()
        keyhold.lock("outer").withLock { outer ->
            keyhold.lock("inner").withLock { inner ->
                withContext(Dispatchers.Default) {
                    assertThat(currentLease()).isSameAs(inner)
                    assertThat(async { currentLease("outer") }.await()).isSameAs(outer)
                    assertThat(currentLease("other")).isNull()
                }
            }
            assertThat(currentLease()).isSameAs(outer)
        }
        assertThat(currentLease("outer")).isNull()
    }

    private suspend fun coroutineContextIsActive() = kotlin.coroutines.coroutineContext[Job]!!.isActive

    private fun test(block: suspend CoroutineScope.() -> Unit) = runBlocking {
        withTimeout(60_000) { block() }
    }

    private companion object {
        const val KEY = "invoice:42"
        val SHORT: LockOptions = LockOptions.builder().lease(Duration.ofSeconds(2)).renew(true).build()
    }
}
