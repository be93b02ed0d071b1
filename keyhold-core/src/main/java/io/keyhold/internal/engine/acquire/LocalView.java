package io.keyhold.internal.engine.acquire;

import io.keyhold.inspect.LocalHolder;
import io.keyhold.inspect.LocalSnapshot;
import io.keyhold.inspect.LocalWaiter;
import io.keyhold.inspect.LockKind;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Snapshots;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Sorts the holds and pending requests of a client by key. */
final class LocalView {

    private final SortedMap<Place, Members> places =
            new TreeMap<>(Comparator.comparing(Place::key).thenComparing(Place::kind));

    private record Place(String key, LockKind kind) {}

    private record Members(List<LocalHolder> holders, List<LocalWaiter> waiters) {}

    void add(Claim claim, LocalHolder holder) {
        claim.keys().forEach(key -> at(key, claim).holders().add(holder));
    }

    void add(Claim claim, LocalWaiter waiter) {
        claim.keys().forEach(key -> at(key, claim).waiters().add(waiter));
    }

    private Members at(String key, Claim claim) {
        return places.computeIfAbsent(
                new Place(key, Snapshots.kind(claim)), place -> new Members(new ArrayList<>(), new ArrayList<>()));
    }

    List<LocalSnapshot> snapshots() {
        List<LocalSnapshot> snapshots = new ArrayList<>();
        places.forEach((place, members) -> {
            members.holders().sort(Comparator.comparing(LocalHolder::heldSince));
            members.waiters()
                    .sort(Comparator.comparing(
                                    (LocalWaiter waiter) -> waiter.ahead().orElse(0))
                            .thenComparing(LocalWaiter::waitingSince));
            snapshots.add(new LocalSnapshot(place.key(), place.kind(), members.holders(), members.waiters()));
        });
        return snapshots;
    }
}
