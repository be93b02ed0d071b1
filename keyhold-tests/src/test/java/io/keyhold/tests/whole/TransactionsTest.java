package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client without scripts together with one that uses them, and what it refuses. */
class TransactionsTest extends OneServer {

    private static final String QUEUE = "{l}:kh:queue";

    private Keyhold transactions;
    private Keyhold scripts;

    @BeforeEach
    void start() {
        transactions = Setup.JEDIS_TRANSACTIONS.client(server.uri()).build();
        scripts = Setup.JEDIS_SCRIPTS.client(server.uri()).build();
    }

    @AfterEach
    void stop() {
        transactions.close();
        scripts.close();
    }

    @Test
    void releaseWakesQueueOfScripts() throws Exception {
        Lease held = transactions.lock("l").acquire();
        console.ask("RPUSH", QUEUE, "nonsense", "keyhold:grants:gone 1 1000 0 1 dead");
        CompletableFuture<Lease> waiting = scripts.lock("l").acquireAsync();
        new ServerQueue(console, "l").await(3);

        assertThat(held.release()).isTrue();

        assertThat(waiting.get(20, TimeUnit.SECONDS).fencingToken()).isGreaterThan(held.fencingToken());
        assertThat(console.text("EXISTS", QUEUE)).isEqualTo("0");
    }

    @Test
    void operatorsSeeLocksAndFreeThem() throws Exception {
        transactions.lock("l").acquire();
        scripts.semaphore("s", 2).acquire();
        assertThat(transactions.inspect().list("*"))
                .extracting(LockSnapshot::key)
                .containsExactly("l");
        assertThat(transactions.inspect().forceRelease("l")).isTrue();
        assertThat(transactions.inspect().forceRelease("l")).isFalse();
        assertThatThrownBy(() -> transactions.inspect().forceRelease("s"))
                .isInstanceOfSatisfying(
                        WrongKindException.class,
                        wrong -> assertThat(wrong.found()).contains(LockKind.SEMAPHORE))
                .hasMessageContaining("cannot force the release of 's': the key is in use as a semaphore");
    }

    @Test
    void allButPlainLocksIsRefused() {
        refused("semaphores", client -> client.semaphore("s", 4));
        refused("read/write locks", client -> client.readWriteLock("s"));
        refused("several locks at once", client -> client.allOf("a", "b"));
        assertThat(console.text("KEYS", "*")).isEqualTo("[]");
    }

    private void refused(String what, Consumer<Keyhold> use) {
        assertThatThrownBy(() -> use.accept(transactions))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(what
                        + " need CommandStyle.SCRIPTS and a server that permits EVAL; CommandStyle.TRANSACTIONS is"
                        + " for plain locks only");
    }
}
