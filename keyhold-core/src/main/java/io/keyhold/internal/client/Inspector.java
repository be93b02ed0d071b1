package io.keyhold.internal.client;

import io.keyhold.inspect.LocalSnapshot;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockPage;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Engine;
import io.keyhold.internal.store.LockStore;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Asks the store, which knows keys with the client's prefix only. */
final class Inspector implements LockInspector {

    private final Engine engine;
    private final String prefix;

    Inspector(Engine engine, String prefix) {
        this.engine = engine;
        this.prefix = prefix;
    }

    @Override
    public LockSnapshot lock(String key) {
        String stored = LockKey.of(prefix, key).stored();
        return withoutPrefix(engine.lookAtPermits(stored).orElseGet(() -> engine.look(stored)));
    }

    @Override
    public List<LockSnapshot> list(String pattern) {
        // SCAN may return a key twice.
        SortedMap<String, LockSnapshot> found = new TreeMap<>();
        Optional<String> cursor = Optional.empty();
        do {
            LockPage page = page(pattern, cursor);
            page.locks().forEach(snapshot -> found.put(snapshot.key(), snapshot));
            cursor = page.next();
        } while (cursor.isPresent());
        return List.copyOf(found.values());
    }

    @Override
    public LockPage page(String pattern, Optional<String> cursor) {
        Preconditions.encodable(pattern, "pattern");
        LockStore.Page page = engine.list(quoted(prefix) + pattern, cursor.orElse(LockStore.Page.EDGE));
        return new LockPage(
                page.locks().stream().map(this::withoutPrefix).toList(),
                Optional.of(page.cursor()).filter(next -> !next.equals(LockStore.Page.EDGE)));
    }

    @Override
    public List<LocalSnapshot> local() {
        return engine.local().stream()
                .map(stored -> new LocalSnapshot(
                        stored.key().substring(prefix.length()), stored.kind(), stored.holders(), stored.waiters()))
                .toList();
    }

    @Override
    public Optional<QuorumSnapshot> quorum() {
        return engine.quorum();
    }

    @Override
    public boolean forceRelease(String key) {
        return engine.forceRelease(LockKey.of(prefix, key));
    }

    @Override
    public boolean forceRelease(String key, String expectedToken) {
        return engine.forceRelease(LockKey.of(prefix, key), Preconditions.seenToken(expectedToken));
    }

    private LockSnapshot withoutPrefix(LockSnapshot stored) {
        return new LockSnapshot(
                stored.key().substring(prefix.length()),
                stored.kind(),
                stored.holders(),
                stored.holderCount(),
                stored.permits(),
                stored.availablePermits(),
                stored.queue(),
                stored.waiterCount(),
                stored.nodes());
    }

    /** The prefix is text, and not a pattern. */
    private static String quoted(String text) {
        return text.replaceAll("[*?\\[\\]\\\\^]", "\\\\$0");
    }
}
