package io.keyhold.cli.view;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.inspect.NodeSnapshot;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Locks as JSON, with the names of {@code io.keyhold.inspect}. Every field is always present, null if it has no value. Times are
 * ISO 8601, durations are milliseconds.
 */
public final class LockJson {

    private LockJson() {}

    /** Returns a lock with its holders, its queue, and the quorum that has it. */
    public static Map<String, @Nullable Object> lock(LockSnapshot lock, Optional<QuorumSnapshot> quorum) {
        Map<String, @Nullable Object> object = lock(lock);
        object.put("quorum", quorum.map(LockJson::quorum));
        return object;
    }

    private static Map<String, @Nullable Object> lock(LockSnapshot lock) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("key", lock.key());
        object.put("kind", name(lock.kind()));
        object.put("held", lock.isHeld());
        object.put("holderCount", lock.holderCount());
        object.put("permits", lock.permits());
        object.put("availablePermits", lock.availablePermits());
        object.put("holders", lock.holders().stream().map(LockJson::holder).toList());
        object.put("waiterCount", lock.waiterCount());
        object.put("queue", lock.queue().stream().map(LockJson::waiter).toList());
        object.put("disputed", lock.isDisputed());
        object.put("nodes", lock.nodes().stream().map(LockJson::node).toList());
        return object;
    }

    private static Map<String, @Nullable Object> holder(LockHolder holder) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("token", holder.token());
        object.put("mode", name(holder.mode()));
        object.put("permits", holder.permits());
        object.put("foreign", holder.foreign());
        object.put("clientName", holder.clientName());
        object.put("host", holder.host());
        object.put("processId", holder.processId());
        object.put("fencingToken", holder.fencingToken());
        object.put("heldSince", holder.heldSince().map(Instant::toString));
        object.put("remainingMillis", holder.remaining());
        return object;
    }

    private static Map<String, @Nullable Object> waiter(LockWaiter waiter) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("token", waiter.token());
        object.put("mode", name(waiter.mode()));
        object.put("permits", waiter.permits());
        object.put("clientName", waiter.clientName());
        object.put("host", waiter.host());
        object.put("processId", waiter.processId());
        object.put("waitingSince", waiter.waitingSince().toString());
        return object;
    }

    private static Map<String, @Nullable Object> node(NodeSnapshot node) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("address", node.address());
        object.put("holder", node.holder().map(LockJson::holder));
        object.put("error", node.error());
        return object;
    }

    private static Map<String, @Nullable Object> quorum(QuorumSnapshot quorum) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("hasQuorum", quorum.hasQuorum());
        object.put("nodes", quorum.nodes().stream().map(LockJson::node).toList());
        return object;
    }

    private static Map<String, @Nullable Object> node(QuorumNode node) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("address", node.address());
        object.put("canVote", node.canVote());
        object.put("quarantineMillis", node.quarantine());
        object.put("error", node.error());
        return object;
    }

    /** Returns several locks. */
    public static List<Map<String, @Nullable Object>> locks(List<LockSnapshot> locks) {
        return locks.stream().map(LockJson::lock).toList();
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
