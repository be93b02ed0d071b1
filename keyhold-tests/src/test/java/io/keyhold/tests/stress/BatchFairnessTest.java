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
 * Three processes with many threads each contend for one lock: none keeps it for more local hand-overs than allowed while another
 * process is in the queue.
 *
 * <p>Each sample of the server is atomic: its last grant, and the queue at that time. If the grant was to a process that was not in
 * the queue, and another process was, then the run of holds that begins with this grant must end within the bound.
 */
@Tag("full")
@Tag("alone")
class BatchFairnessTest {

    private static final String KEY = "invoice:42";
    private static final String SAMPLE =
            "return {redis.call('GET', KEYS[1]) or '', redis.call('LRANGE', KEYS[2], 0, -1)}";
    private static final int HAND_OVERS = 3;
    private static final int THREADS = 6;
    private static final int HOLDS_EACH = 60;
    private static final int ENOUGH = 20;

    /** How many samples are conclusive depends on the machine: usually one round has enough of them. */
    private static final int MOST_ROUNDS = 10;

    /** One sample of the server: the number of its last grant, and the text of all entries of the queue. */
    private record Sample(long grant, String queue) {}

    @Test
    void noProcessMonopolizesLock() throws Exception {
        HolderOptions terms = HolderOptions.lock(Fairness.BATCHED, HAND_OVERS, Duration.ofMinutes(1));
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

    /** Runs one round; returns the number of conclusive samples. */
    private static int contend(List<HolderJvm> jvms, Console console, ExecutorService readers) {
        for (int i = 0; i < THREADS; i++) {
            for (HolderJvm jvm : jvms) {
                jvm.pass("thread-" + i, HOLDS_EACH, 1);
            }
        }
        List<CompletableFuture<List<RecordedHold>>> all = jvms.stream()
                .map(jvm -> CompletableFuture.supplyAsync(() -> holds(jvm), readers))
                .toList();
        CompletableFuture<Void> done = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
        Set<Sample> samples = new HashSet<>();
        while (!done.isDone()) {
            samples.add(sample(console));
        }
        List<RecordedHold> holds = new ArrayList<>();
        all.forEach(some -> holds.addAll(some.join()));
        holds.sort(Comparator.comparingLong(RecordedHold::fence));
        assertThat(holds).extracting(RecordedHold::fence).doesNotHaveDuplicates();
        return judged(holds, samples);
    }

    private static List<RecordedHold> holds(HolderJvm jvm) {
        try {
            return jvm.awaitPassed(THREADS * HOLDS_EACH);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Sample sample(Console console) {
        List<?> reply = (List<?>) console.ask("EVAL", SAMPLE, "2", KEY, "{" + KEY + "}:kh:queue");
        if (reply == null) {
            throw new AssertionError("no reply");
        }
        String[] value = String.valueOf(reply.get(0)).split(" ", -1);
        return new Sample(value.length < 2 ? 0 : Long.parseLong(value[1]), String.valueOf(reply.get(1)));
    }

    /** Returns the number of conclusive samples. */
    private static int judged(List<RecordedHold> holds, Set<Sample> samples) {
        int judged = 0;
        for (Sample sample : samples) {
            List<RecordedHold> since = holds.stream()
                    .filter(hold -> hold.fence() >= sample.grant())
                    .toList();
            if (since.isEmpty() || since.get(0).fence() != sample.grant()) {
                continue;
            }
            String owner = since.get(0).jvm();
            boolean anotherWaits = sample.queue().contains("process-");
            boolean ownerWaits = sample.queue().contains(owner);
            if (anotherWaits && !ownerWaits) {
                judged++;
                List<RecordedHold> run = since.stream()
                        .takeWhile(hold -> hold.jvm().equals(owner))
                        .toList();
                assertThat(run).as("while " + sample.queue() + " waited").hasSizeLessThanOrEqualTo(HAND_OVERS + 1);
            }
        }
        return judged;
    }
}
