package io.keyhold.console;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockMode;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.inspect.NodeSnapshot;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Locks as the page gets them. */
final class LockObjects {

    static final int HOLDERS_IN_A_ROW = 20;

    private final History history;
    private final long now;

    /** Durations are until now. */
    LockObjects(History history, long now) {
        this.history = history;
        this.now = now;
    }

    Map<String, @Nullable Object> lock(LockSnapshot lock) {
        boolean counted = lock.kind() == LockKind.SEMAPHORE;
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("key", lock.key());
        object.put("kind", kind(lock));
        object.put("permits", counted ? lock.permits() : null);
        object.put("permitsInUse", counted ? lock.permits() - lock.availablePermits() : null);
        object.put("waiterCount", lock.waiterCount());
        object.put("oldestWaitMillis", lock.queue().isEmpty() ? null : oldestWait(lock));
        object.put(
                "holders",
                lock.holders().stream()
                        .limit(HOLDERS_IN_A_ROW)
                        .map(holder -> holder(lock, holder))
                        .toList());
        object.put("holderCount", lock.holderCount());
        return object;
    }

    private static String kind(LockSnapshot lock) {
        return switch (lock.kind()) {
            case SEMAPHORE -> "semaphore";
            case READ_WRITE -> "readWrite";
            case LOCK -> lock.holder().filter(LockHolder::foreign).isPresent() ? "foreign" : "lock";
        };
    }

    private long oldestWait(LockSnapshot lock) {
        return lock.queue().stream()
                .mapToLong(waiter -> since(waiter.waitingSince()))
                .max()
                .orElse(0);
    }

    /** Returns for how long the first holder holds it; 0 if that is unknown. */
    long age(LockSnapshot lock) {
        return lock.holders().stream()
                .flatMap(holder -> holder.heldSince().stream())
                .mapToLong(this::since)
                .max()
                .orElse(0);
    }

    List<Map<String, @Nullable Object>> holders(LockSnapshot lock) {
        return lock.holders().stream().map(holder -> holder(lock, holder)).toList();
    }

    private Map<String, @Nullable Object> holder(LockSnapshot lock, LockHolder holder) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        client(object, holder.clientName(), holder.host(), holder.processId());
        object.put("token", holder.token());
        object.put("fencingToken", holder.fencingToken());
        object.put("since", holder.heldSince().map(Instant::toEpochMilli));
        object.put("heldMillis", holder.heldSince().map(this::since));
        object.put("remainingMillis", holder.remaining());
        object.put(
                "leaseMillis",
                history.lease(lock.key(), holder.token(), holder.fencingToken().orElse(0)));
        object.put("permits", holder.permits());
        object.put("mode", mode(lock, holder));
        object.put("foreign", holder.foreign());
        object.put("resting", holder.isResting());
        return object;
    }

    private static String mode(LockSnapshot lock, LockHolder holder) {
        if (lock.kind() == LockKind.SEMAPHORE) {
            return "permits";
        }
        return holder.mode() == LockMode.EXCLUSIVE ? "exclusive" : "shared";
    }

    List<Map<String, @Nullable Object>> queue(LockSnapshot lock) {
        List<Map<String, @Nullable Object>> queue = new ArrayList<>();
        for (LockWaiter waiter : lock.queue()) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("position", queue.size() + 1);
            client(object, waiter.clientName(), waiter.host(), waiter.processId());
            object.put("token", waiter.token());
            object.put("waitingSince", waiter.waitingSince().toEpochMilli());
            object.put("waitedMillis", since(waiter.waitingSince()));
            object.put("permits", waiter.permits());
            queue.add(object);
        }
        return queue;
    }

    /** Returns what each node sees of the lock; empty without a quorum. */
    static List<Map<String, @Nullable Object>> nodes(LockSnapshot lock, Optional<QuorumSnapshot> quorum) {
        List<Map<String, @Nullable Object>> nodes = new ArrayList<>();
        for (NodeSnapshot node : lock.nodes()) {
            boolean quarantined = quorum.stream()
                    .flatMap(snapshot -> snapshot.nodes().stream())
                    .filter(each -> each.address().equals(node.address()))
                    .map(QuorumNode::quarantine)
                    .anyMatch(Optional::isPresent);
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("address", node.address());
            object.put("state", node.error().isPresent() ? "unreachable" : quarantined ? "quarantined" : "ok");
            object.put("token", node.holder().map(LockHolder::token));
            object.put("clientName", node.holder().flatMap(LockHolder::clientName));
            object.put("remainingMillis", node.holder().flatMap(LockHolder::remaining));
            object.put("error", node.error());
            nodes.add(object);
        }
        return nodes;
    }

    private static void client(
            Map<String, @Nullable Object> object, Optional<String> name, Optional<String> host, OptionalLong process) {
        object.put("clientName", name);
        object.put("host", host);
        object.put("pid", process);
    }

    /** Other clocks may be ahead of this one. */
    private long since(Instant instant) {
        return Math.max(0, now - instant.toEpochMilli());
    }
}
