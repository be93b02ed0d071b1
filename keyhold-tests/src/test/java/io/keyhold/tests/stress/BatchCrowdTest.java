package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three processes with many threads each want one lock all the time: none keeps it for more passes than it may while
 * another is seen in the queue.
 *
 * <p>What is seen is the server's, in one look: the last grant that it made, and who was in the queue then. If the holds
 * say that this grant was one process's, and another was waiting but that process itself was not, then the run of holds
 * that begins with this grant must end within the bound.
 */
@Tag("full")
class BatchCrowdTest {

    private static final String KEY = "invoice:42";
    private static final String LOOK =
            "return {redis.call('GET', KEYS[1]) or '', redis.call('LRANGE', KEYS[2], 0, -1)}";
    private static final int PASSES = 3;
    private static final int THREADS = 6;
    private static final int HOLDS_EACH = 60;
    private static final int ENOUGH = 20;

    /** How many looks say something is up to the machine: usually one round has enough of them. */
    private static final int MOST_ROUNDS = 10;

    /** One look at the server: the number of its last grant, and the text of all entries of the queue. */
    private record Look(long grant, String queue) {}

    @Test
    void noProcessKeepsTheLockFromAnother() throws Exception {
        Terms terms = Terms.lock(Fairness.BATCHED, PASSES, Duration.ofMinutes(1));
        ExecutorService readers = Executors.newCachedThreadPool();
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                HolderJvm a = HolderJvm.start("process-a", Setup.JEDIS_SCRIPTS, server.uri(), KEY, terms);
                HolderJvm b = HolderJvm.start("process-b", Setup.LETTUCE_SCRIPTS, server.uri(), KEY, terms);
                HolderJvm c = HolderJvm.start("process-c", Setup.JEDIS_SCRIPTS, server.uri(), KEY, terms)) {
            int judged = 0;
            for (int round = 0; round < MOST_ROUNDS && judged <= ENOUGH; round++) {
                judged += contend(List.of(a, b, c), console, readers);
            }
            assertThat(judged).as("runs of holds that others waited for").isGreaterThan(ENOUGH);
        } finally {
            readers.shutdownNow();
        }
    }

    /** One round; answers how many looks said something. */
    private static int contend(List<HolderJvm> jvms, Console console, ExecutorService readers) {
        for (int i = 0; i < THREADS; i++) {
            for (HolderJvm jvm : jvms) {
                jvm.pass("thread-" + i, HOLDS_EACH, 1);
            }
        }
        List<CompletableFuture<List<Hold>>> all = jvms.stream()
                .map(jvm -> CompletableFuture.supplyAsync(() -> holds(jvm), readers))
                .toList();
        CompletableFuture<Void> done = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
        Set<Look> looks = new HashSet<>();
        while (!done.isDone()) {
            looks.add(look(console));
        }
        List<Hold> holds = new ArrayList<>();
        all.forEach(some -> holds.addAll(some.join()));
        holds.sort(Comparator.comparingLong(Hold::fence));
        assertThat(holds).extracting(Hold::fence).doesNotHaveDuplicates();
        return judged(holds, looks);
    }

    private static List<Hold> holds(HolderJvm jvm) {
        try {
            return jvm.awaitPassed(THREADS * HOLDS_EACH);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Look look(Console console) {
        List<?> reply = (List<?>) console.ask("EVAL", LOOK, "2", KEY, "{" + KEY + "}:kh:queue");
        if (reply == null) {
            throw new AssertionError("no reply");
        }
        String[] value = String.valueOf(reply.get(0)).split(" ", -1);
        return new Look(value.length < 2 ? 0 : Long.parseLong(value[1]), String.valueOf(reply.get(1)));
    }

    /** How many looks said something. */
    private static int judged(List<Hold> holds, Set<Look> looks) {
        int judged = 0;
        for (Look look : looks) {
            List<Hold> since =
                    holds.stream().filter(hold -> hold.fence() >= look.grant()).toList();
            if (since.isEmpty() || since.get(0).fence() != look.grant()) {
                continue;
            }
            String owner = since.get(0).jvm();
            boolean anotherWaits = look.queue().contains("process-");
            boolean ownerWaits = look.queue().contains(owner);
            if (anotherWaits && !ownerWaits) {
                judged++;
                List<Hold> run = since.stream()
                        .takeWhile(hold -> hold.jvm().equals(owner))
                        .toList();
                assertThat(run).as("while " + look.queue() + " waited").hasSizeLessThanOrEqualTo(PASSES + 1);
            }
        }
        return judged;
    }
}
