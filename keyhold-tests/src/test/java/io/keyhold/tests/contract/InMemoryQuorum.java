package io.keyhold.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A quorum of three spaces inside one JVM. Clients of each node, with tokens of the caller, simulate foreign holders. */
abstract class InMemoryQuorum implements StoreUnderTest {

    /** Long, because no contract is about slow nodes, and a busy machine can slow down any of them. */
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration LONGEST_LEASE = Duration.ofMinutes(10);

    private final List<Keyhold> nodes = Stream.generate(InMemorySpace::create)
            .limit(3)
            .map(space -> Keyhold.builder().inMemory(space).build())
            .toList();

    @Override
    public KeyholdBuilder client() {
        return Keyhold.builder()
                .quorumOfClients(
                        nodes,
                        QuorumOptions.builder()
                                .admitFreshNodes(true)
                                .nodeTimeout(NODE_TIMEOUT)
                                .longestLease(LONGEST_LEASE)
                                .build());
    }

    @Override
    public int nodes() {
        return nodes.size();
    }

    @Override
    public void putForeign(String key, String value, @Nullable Duration expiry) {
        removeForeign(key);
        LockOptions.Builder options = LockOptions.builder().token(value);
        LockOptions terms = (expiry == null ? options.noExpiry() : options.lease(expiry)).build();
        // Not handed off: the clients of the nodes stay open, and a brief hold may end before the hand-off.
        for (Keyhold node : nodes) {
            assertThat(node.lock(key, terms).tryAcquireAsync().join()).isPresent();
        }
    }

    @Override
    public void removeForeign(String key) {
        nodes.forEach(node -> node.inspect().forceRelease(key));
    }
}
