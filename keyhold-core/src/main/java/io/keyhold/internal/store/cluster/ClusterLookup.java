package io.keyhold.internal.store.cluster;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One question to the cluster for its map. A few nodes are asked at a time, because a node that has failed may take long to find out,
 * and the first reply of one that serves decides. A node that is cut off from the others, or has not heard of the newest changes, decides
 * only if no other replies.
 */
final class ClusterLookup {

    private static final int AT_A_TIME = 3;
    private static final RedisCall INFO = RedisCall.of("CLUSTER", "INFO");
    private static final RedisCall SLOTS = RedisCall.of("CLUSTER", "SLOTS");

    private final CompletableFuture<ClusterReply> result = new CompletableFuture<>();
    private final Iterator<ClusterNode> candidates;
    private final long knownEpoch;
    private final List<String> failures = new ArrayList<>();
    private @Nullable RedisErrorException refusal;
    /** Whether a node could not be asked, which may know the map. */
    private boolean unreached;

    private @Nullable ClusterReply secondBest;
    private int inFlight;

    /** Asks these nodes, in this order. {@code knownEpoch} is that of the map before. */
    ClusterLookup(List<ClusterNode> candidates, long knownEpoch) {
        this.candidates = candidates.iterator();
        this.knownEpoch = knownEpoch;
        if (candidates.isEmpty()) {
            end(); // Otherwise the last reply does it.
        }
        for (int i = 0; i < AT_A_TIME; i++) {
            next();
        }
    }

    CompletableFuture<ClusterReply> result() {
        return result;
    }

    private void next() {
        ClusterNode node;
        synchronized (this) {
            if (result.isDone() || !candidates.hasNext()) {
                return;
            }
            node = candidates.next();
            inFlight++;
        }
        var info = Stages.flat(() -> node.driver().call(INFO, CallMode.ASYNCHRONOUS));
        var slots = Stages.flat(() -> node.driver().call(SLOTS, CallMode.ASYNCHRONOUS));
        info.thenCombine(slots, (state, ranges) -> ClusterReply.read(node.address(), state, ranges))
                .whenComplete((reply, failure) -> {
                    Optional<ClusterReply> read = failure == null ? reply : Optional.empty();
                    count(node, read, failure).run(); // Outside the monitor: what follows calls servers.
                    next();
                });
    }

    /** Returns what completes the result, if this reply decides it. */
    private synchronized Runnable count(ClusterNode node, Optional<ClusterReply> read, @Nullable Throwable failure) {
        inFlight--;
        if (read.isPresent() && read.get().ok() && read.get().epoch() >= knownEpoch) {
            return () -> result.complete(read.get());
        }
        if (read.isPresent()) {
            if (secondBest == null || read.get().epoch() > secondBest.epoch()) {
                secondBest = read.get();
            }
        } else {
            Throwable cause = failure == null ? null : Stages.unwrapped(failure);
            if (cause instanceof RedisErrorException error) {
                refusal = error;
            } else {
                unreached = true;
            }
            String reason = cause == null ? "unexpected reply" : String.valueOf(cause.getMessage());
            failures.add(reason.contains(node.toString()) ? reason : node + ": " + reason);
        }
        return inFlight > 0 || candidates.hasNext() ? () -> {} : this::end;
    }

    private void end() {
        ClusterReply best = secondBest;
        if (best != null) {
            result.complete(best);
        } else {
            result.completeExceptionally(failure());
        }
    }

    /** Servers that all reply but are no nodes of a cluster are a mistake in the configuration, which waiting does not cure. */
    private RuntimeException failure() {
        String each = failures.isEmpty() ? "no node is known" : String.join("; ", failures);
        RedisErrorException refused = refusal;
        if (refused == null || unreached) {
            return DriverFailures.notConnected("no node of the cluster can be reached (" + each + ")", null);
        }
        return String.valueOf(refused.getMessage()).contains("cluster support disabled")
                ? new RedisErrorException(
                        "ERR this is not a cluster; use redis://host:port for a single server (" + each + ")")
                : new RedisErrorException(refused.getMessage() + " (asked for the slots of the cluster: " + each + ")");
    }
}
