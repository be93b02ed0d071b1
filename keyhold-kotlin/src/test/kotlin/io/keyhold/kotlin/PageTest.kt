package io.keyhold.kotlin

import io.keyhold.Keyhold
import java.nio.file.Files
import java.nio.file.Path
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The code in the documentation stands in this file too, where it is compiled and run. */
class PageTest {

    private val ledger = Ledger()

    @Test
    fun `code of the page is compiled here`() {
        val root = Path.of(System.getProperty("keyhold.root"))
        val blocks = Regex("```kotlin\n(.*?)```", RegexOption.DOT_MATCHES_ALL)
            .findAll(Files.readString(root.resolve("docs/kotlin.md")))
            .map { lines(it.groupValues[1]) }
            .toList()
        val here = lines(Files.readString(root.resolve("keyhold-kotlin/src/test/kotlin/io/keyhold/kotlin/PageTest.kt")))
        assertThat(blocks).hasSize(2).allSatisfy { assertThat(here).containsSequence(it) }
    }

    private fun lines(code: String) = code.lines().map(String::trim).filter(String::isNotEmpty)

    @Test
    fun `code of the page runs`() = runBlocking {
        Keyhold.inMemory().use { keyhold ->
            val receipt = keyhold.lock("invoice:42").withLock { lease ->
                ledger.charge(42, lease.fencingToken())             // the lock is held here
            }

            keyhold.semaphore("gpu", 4).withPermits(2) { train() }

            val catalog = keyhold.readWriteLock("catalog")
            catalog.withReadLock { read() }
            catalog.withWriteLock { lease -> write(lease.fencingToken()) }

            assertThat(receipt).isEqualTo("receipt 42")
            keyhold.lock("invoice:42").withLock { write("paid") }
        }
    }

    suspend fun write(text: String) {
        val lease = currentLease("invoice:42") ?: error("write needs the lock of its invoice")
        ledger.write(text, lease.fencingToken())
    }

    private fun train() {}

    private fun read() {}

    private fun write(fencingToken: Long) = assertThat(fencingToken).isPositive()

    private class Ledger {

        fun charge(invoice: Int, fencingToken: Long): String {
            assertThat(fencingToken).isPositive()
            return "receipt $invoice"
        }

        fun write(text: String, fencingToken: Long) {
            assertThat(text).isNotEmpty()
            assertThat(fencingToken).isPositive()
        }
    }
}
