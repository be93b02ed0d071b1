package io.keyhold.kotlin

import io.keyhold.Keyhold
import io.keyhold.spring.EnableKeyhold
import io.keyhold.spring.Locked
import io.keyhold.spring.OnBusy
import java.time.Duration
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

/** Suspending functions of Spring beans under `@Locked`. */
class SpringSuspendTest {

    private val context = AnnotationConfigApplicationContext(Beans::class.java)
    private val work = context.getBean(Work::class.java)
    private val keyhold = context.getBean(Keyhold::class.java)

    private fun isLocked() = keyhold.lock("order:42").isLocked

    @AfterEach
    fun stop() {
        context.close()
    }

    @Test
    fun holdsWhileTheFunctionRuns(): Unit = runBlocking {
        val locked = work.ship(42) {
            yield()
            isLocked()
        }
        assertThat(locked).isTrue()
        assertThat(isLocked()).isFalse()
    }

    @Test
    fun releasesWhenTheFunctionThrows() {
        assertThrows(IllegalStateException::class.java) {
            runBlocking { work.ship(42) { throw IllegalStateException("no stock") } }
        }
        assertThat(isLocked()).isFalse()
    }

    @Test
    fun callsInsideGoOnUnderTheSameLock(): Unit = runBlocking {
        assertThat(work.ship(42) { work.ship(42) { isLocked() } && isLocked() }).isTrue()
        assertThat(isLocked()).isFalse()
    }

    @Test
    fun cancelledCoroutineReleases(): Unit = runBlocking {
        val inside = CompletableDeferred<Boolean>()
        val job = launch {
            work.ship(42) {
                inside.complete(isLocked())
                awaitCancellation()
            }
        }
        assertThat(inside.await()).isTrue()
        job.cancelAndJoin()
        assertThat(keyhold.lock("order:42").tryAcquire(Duration.ofMinutes(1))).isPresent()
    }

    @Test
    fun busySkipsOrFallsBack(): Unit = runBlocking {
        val held = keyhold.lock("order:42").acquireAsync().join()
        assertThat(work.skipping(42)).isNull()
        assertThat(work.falling(42)).isEqualTo("instead 42")
        held.release()
        assertThat(work.skipping(42)).isEqualTo("ran 42")
        assertThat(work.falling(42)).isEqualTo("ran 42")
    }

    /** Functions under a lock. */
    open class Work {

        @Locked("order:#{#id}")
        open suspend fun ship(id: Long, body: suspend () -> Boolean): Boolean = body()

        @Locked(key = ["order:#{#id}"], onBusy = OnBusy.SKIP)
        open suspend fun skipping(id: Long): String? {
            yield()
            return "ran $id"
        }

        @Locked(key = ["order:#{#id}"], onBusy = OnBusy.FALLBACK, fallback = "instead")
        open suspend fun falling(id: Long): String = "ran $id"

        open suspend fun instead(id: Long): String {
            yield()
            return "instead $id"
        }
    }

    /** The beans of the test. */
    @Configuration(proxyBeanMethods = false)
    @EnableKeyhold
    open class Beans {

        @Bean
        open fun work() = Work()

        @Bean
        open fun keyhold(): Keyhold = Keyhold.inMemory()
    }
}
