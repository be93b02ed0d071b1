package io.keyhold.internal.client;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Rules;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.store.GrantRecord;
import io.keyhold.internal.store.HoldView;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.LockView;
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

    private static final String FIRST_PAGE = "0";

    private final Operations operations;
    private final String prefix;

    Inspector(Operations operations, String prefix) {
        this.operations = operations;
        this.prefix = prefix;
    }

    @Override
    public LockSnapshot lock(String key) {
        return snapshot(key, operations.look(LockKey.of(prefix, key)));
    }

    @Override
    public List<LockSnapshot> list(String pattern) {
        Rules.given(pattern, "pattern");
        // SCAN may answer a key twice.
        Map<String, LockSnapshot> found = new TreeMap<>(Comparator.naturalOrder());
        String cursor = FIRST_PAGE;
        do {
            LockStore.Page page = operations.list(quoted(prefix) + pattern, cursor);
            for (LockView view : page.locks()) {
                String key = view.key().substring(prefix.length());
                found.put(key, snapshot(key, view));
            }
            cursor = page.cursor();
        } while (!cursor.equals(FIRST_PAGE));
        return List.copyOf(found.values());
    }

    @Override
    public boolean forceRelease(String key) {
        return operations.forceRelease(LockKey.of(prefix, key));
    }

    private static LockSnapshot snapshot(String key, LockView view) {
        return new LockSnapshot(
                key,
                view.hold().map(Inspector::holder),
                view.queue().stream().map(Inspector::waiter).toList(),
                view.waiting());
    }

    private static LockWaiter waiter(QueuePlace place) {
        Optional<TokenText.Origin> origin = TokenText.read(place.token());
        return new LockWaiter(
                place.token(),
                origin.map(TokenText.Origin::clientName),
                origin.map(TokenText.Origin::host),
                processId(origin),
                Instant.ofEpochMilli(place.sinceMillis()));
    }

    private static OptionalLong processId(Optional<TokenText.Origin> origin) {
        return origin.map(known -> OptionalLong.of(known.processId())).orElse(OptionalLong.empty());
    }

    private static LockHolder holder(HoldView view) {
        Optional<TokenText.Origin> origin = TokenText.read(view.token());
        Optional<GrantRecord> grant =
                view.record().filter(record -> record.token().equals(view.token()));
        return new LockHolder(
                view.token(),
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
