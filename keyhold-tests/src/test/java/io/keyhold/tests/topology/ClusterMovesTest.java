package io.keyhold.tests.topology;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slots of locks that are held and waited for move from node to node while clients work. */
@Tag("full")
class ClusterMovesTest {

    private static final List<String> KEYS = List.of("one", "two", "three");
    private static final int CLIENTS = 3;
    private static final int THREADS = 3;
    private static final int ROUNDS = 12;
    private static final int MOVES = 9;
    private static final Duration LONG = Duration.ofMinutes(1);

    /** What one key's holders have seen. */
    private static final class Resource {
        private final AtomicInteger inside = new AtomicInteger();
        private final Queue<String> overlaps;
        private long lastToken;

        Resource(Queue<String> overlaps) {
            this.overlaps = overlaps;
        }

        void use(Lease lease, long millis) throws InterruptedException {
            int holders = inside.incrementAndGet();
            if (holders != 1 || lease.fencingToken() <= lastToken) {
                overlaps.add(
                        holders + " holders of " + lease.key() + ", " + lease.fencingToken() + " after " + lastToken);
            }
            lastToken = lease.fencingToken();
            TimeUnit.MILLISECONDS.sleep(millis);
            assertThat(lease.isHeld()).isTrue();
            inside.decrementAndGet();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void movingSlotsUnderLoadLetsNoSecondHolderIn(Setup setup) throws Exception {
        Queue<String> overlaps = new ConcurrentLinkedQueue<>();
        undisturbed(() -> moveUnderLoad(setup, overlaps)); // The renewals of a short lease must be in time.
        assertThat(overlaps).as("in any attempt").isEmpty();
    }

    private static void moveUnderLoad(Setup setup, Queue<String> overlaps) throws Exception {
        List<Resource> resources =
                KEYS.stream().map(key -> new Resource(overlaps)).toList();
        AtomicInteger rounds = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Keyhold> clients = new ArrayList<>();
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().replicasPerMaster(0).start()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(setup.client(cluster.uri())
                        .defaults(LockOptions.builder()
                                .lease(Duration.ofSeconds(30))
                                .renew(true)
                                .build())
                        .build());
            }
            // Renewed again and again, and so also in the middle of a move.
            LockOptions renewed = LockOptions.builder()
                    .lease(Duration.ofSeconds(9))
                    .renew(true)
                    .build();
            Lease held = clients.get(0).lock("{one}:held", renewed).acquire();
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < CLIENTS * THREADS; i++) {
                Keyhold client = clients.get(i % CLIENTS);
                Random random = new Random(i);
                workers.add(threads.submit(() -> {
                    work(client, random, resources, rounds);
                    return null;
                }));
            }
            int moves = 0;
            while (moves < MOVES) {
                while (rounds.get() < moves * 10 && workers.stream().anyMatch(worker -> !worker.isDone())) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                moveOneSlot(cluster, moves);
                moves++;
            }
            for (Future<?> worker : workers) {
                worker.get(1, TimeUnit.MINUTES);
            }
            assertThat(held.isHeldOnServer())
                    .as("renewed through " + moves + " moves")
                    .isTrue();
            assertThat(held.release()).isTrue();
        } finally {
            clients.forEach(Keyhold::close);
            threads.shutdownNow();
        }
    }

    private static void work(Keyhold client, Random random, List<Resource> resources, AtomicInteger rounds)
            throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            int key = random.nextInt(KEYS.size());
            Lease lease = client.lock(KEYS.get(key)).tryAcquire(LONG).orElseThrow();
            resources.get(key).use(lease, random.nextInt(30));
            lease.releaseAsync(); // Repeated in the background if the slot is being moved just now.
            rounds.incrementAndGet();
        }
    }

    private static void moveOneSlot(EmbeddedCluster cluster, int move) {
        int slot = cluster.slotOf(KEYS.get(move % KEYS.size()));
        EmbeddedRedis from = cluster.masterOf(slot);
        List<EmbeddedRedis> others =
                cluster.masters().stream().filter(node -> node != from).toList();
        cluster.moveSlot(slot, others.get(move / KEYS.size() % others.size()));
    }
}
