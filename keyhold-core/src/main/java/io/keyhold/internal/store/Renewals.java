package io.keyhold.internal.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A batch of renewals, key by key, for a store that cannot renew all of them together. A claim of several locks is one part for each key,
 * and is held only if each of them is.
 */
public final class Renewals {

    private final List<Part> parts = new ArrayList<>();
    private final @Nullable HoldReply[] replies;

    /**
     * The renewal of one key.
     *
     * @param request the index of the request that it is of
     * @param renewal what is asked for this key
     */
    public record Part(int request, RenewRequest renewal) {

        /** Returns the key. */
        public String key() {
            return renewal.claim().key();
        }
    }

    /** Splits these requests. */
    public Renewals(List<RenewRequest> requests) {
        replies = new HoldReply[requests.size()];
        for (int i = 0; i < requests.size(); i++) {
            for (RenewRequest renewal : requests.get(i).byKey()) {
                parts.add(new Part(i, renewal));
            }
        }
    }

    /** Renews the parts in groups that can be renewed together, all groups at the same time. */
    public <K> CompletableFuture<Void> inGroups(
            Function<Part, K> group, Function<List<Part>, CompletionStage<Void>> renew) {
        Map<K, List<Part>> groups = new LinkedHashMap<>();
        for (Part part : parts) {
            groups.computeIfAbsent(group.apply(part), key -> new ArrayList<>()).add(part);
        }
        return CompletableFuture.allOf(groups.values().stream()
                .map(each -> renew.apply(each).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    /** Notes the replies to these parts. */
    public synchronized void replied(List<Part> to, List<HoldReply> received) {
        for (int i = 0; i < to.size(); i++) {
            int request = to.get(i).request();
            HoldReply known = replies[request];
            replies[request] = known == null ? received.get(i) : HoldReply.ofBoth(known, received.get(i));
        }
    }

    /** Returns the replies to the requests, when all parts have theirs. */
    public synchronized List<HoldReply> replies() {
        return Arrays.asList(replies);
    }
}
