package io.keyhold.internal.client;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockMode;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.inspect.NodeSnapshot;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.store.HoldView;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.LockView;
import io.keyhold.internal.store.NodeView;
import io.keyhold.internal.store.QueuePlace;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Puts a store's views of holds into the words of operators. */
final class Inspector implements LockInspector {

    private final Operations operations;
    private final String prefix;

    Inspector(Operations operations, String prefix) {
        this.operations = operations;
        this.prefix = prefix;
    }

    @Override
    public LockSnapshot lock(String key) {
        LockKey lock = LockKey.of(prefix, key);
        return snapshot(key, operations.lookAtPermits(lock).orElseGet(() -> operations.look(lock)));
    }

    @Override
    public List<LockSnapshot> list(String pattern) {
        Preconditions.pattern(pattern);
        // SCAN may answer a key twice.
        Map<String, LockSnapshot> found = new TreeMap<>(Comparator.naturalOrder());
        String cursor = LockStore.Page.EDGE;
        do {
            LockStore.Page page = operations.list(quoted(prefix) + pattern, cursor);
            for (LockView view : page.locks()) {
                String key = view.key().substring(prefix.length());
                found.put(key, snapshot(key, view));
            }
            cursor = page.cursor();
        } while (!cursor.equals(LockStore.Page.EDGE));
        return List.copyOf(found.values());
    }

    @Override
    public Optional<QuorumSnapshot> quorum() {
        return operations
                .quorum()
                .map(view -> new QuorumSnapshot(
                        view.nodes().stream()
                                .map(node -> new QuorumNode(
                                        node.address(),
                                        node.quarantineMillis() > 0
                                                ? Optional.of(Duration.ofMillis(node.quarantineMillis()))
                                                : Optional.empty(),
                                        node.trouble()))
                                .toList(),
                        view.inOneRound(),
                        view.inTwoRounds()));
    }

    @Override
    public boolean forceRelease(String key) {
        return operations.forceRelease(LockKey.of(prefix, key));
    }

    private static LockSnapshot snapshot(String key, LockView view) {
        LockKind kind = kind(view);
        int permits = kind == LockKind.SEMAPHORE ? view.permits().orElseThrow().limit() : 1;
        long free = kind == LockKind.SEMAPHORE
                ? permits - view.permits().orElseThrow().inUse()
                : 1 - view.holding();
        return new LockSnapshot(
                key,
                kind,
                view.holds().stream().map(hold -> holder(kind, hold)).toList(),
                view.holding(),
                permits,
                (int) Math.max(0, free),
                view.queue().stream().map(place -> waiter(kind, place)).toList(),
                view.waiting(),
                view.nodes().stream().map(Inspector::node).toList());
    }

    private static NodeSnapshot node(NodeView view) {
        return new NodeSnapshot(view.address(), view.hold().map(hold -> holder(LockKind.LOCK, hold)), view.trouble());
    }

    private static LockKind kind(LockView view) {
        return view.permits()
                .map(permits -> permits.limit() == Limit.READ_WRITE ? LockKind.READ_WRITE : LockKind.SEMAPHORE)
                .orElse(LockKind.LOCK);
    }

    private static LockMode mode(LockKind kind, int permits) {
        return switch (kind) {
            case LOCK -> LockMode.EXCLUSIVE;
            case SEMAPHORE -> LockMode.SHARED;
            case READ_WRITE -> permits == Limit.READ_WRITE ? LockMode.EXCLUSIVE : LockMode.SHARED;
        };
    }

    private static int shownPermits(LockKind kind, int permits) {
        return kind == LockKind.SEMAPHORE ? permits : 1;
    }

    private static LockWaiter waiter(LockKind kind, QueuePlace place) {
        Optional<TokenText.Origin> origin = TokenText.read(place.token());
        return new LockWaiter(
                place.token(),
                mode(kind, place.permits()),
                shownPermits(kind, place.permits()),
                origin.map(TokenText.Origin::clientName),
                origin.map(TokenText.Origin::host),
                processId(origin),
                Instant.ofEpochMilli(place.sinceMillis()));
    }

    private static OptionalLong processId(Optional<TokenText.Origin> origin) {
        return origin.map(known -> OptionalLong.of(known.processId())).orElse(OptionalLong.empty());
    }

    private static LockHolder holder(LockKind kind, HoldView view) {
        Optional<TokenText.Origin> origin = TokenText.read(view.token());
        Optional<LockValue> grant = view.grant();
        return new LockHolder(
                view.token(),
                mode(kind, view.permits()),
                shownPermits(kind, view.permits()),
                origin.isEmpty() && grant.isEmpty(),
                origin.map(TokenText.Origin::clientName),
                origin.map(TokenText.Origin::host),
                processId(origin),
                grant.map(record -> OptionalLong.of(record.fencingToken())).orElse(OptionalLong.empty()),
                grant.map(record -> Instant.EPOCH.plus(record.sinceMicros(), ChronoUnit.MICROS)),
                view.remainingMillis().isPresent()
                        ? Optional.of(Duration.ofMillis(view.remainingMillis().getAsLong()))
                        : Optional.empty());
    }

    /** The prefix is text, and not a pattern. */
    private static String quoted(String text) {
        return text.replaceAll("[*?\\[\\]\\\\^]", "\\\\$0");
    }
}
