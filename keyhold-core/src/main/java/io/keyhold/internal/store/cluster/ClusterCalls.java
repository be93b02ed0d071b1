package io.keyhold.internal.store.cluster;

import io.keyhold.internal.Formats;
import io.keyhold.internal.store.redis.HashSlot;
import io.keyhold.internal.store.redis.RedisFailures;
import io.keyhold.internal.store.redis.ScriptStore;
import io.keyhold.internal.store.redis.Task;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Sends operations to the primary of a key.
 *
 * <p>An operation is repeated here only when it is certain that it was not executed, and that another node would: after a redirection,
 * or when the map shows another primary after a failure. {@code ASK} is followed for this operation only, so that a lease is
 * renewed while its slot is being moved. Everything else, such as a failover that takes seconds, fails here as an outage of one server
 * does, and is waited out by the engine.
 */
final class ClusterCalls {

    /** Each time a slot moves while it is asked for, one is used up. */
    private static final int MOST_REDIRECTIONS = 5;

    private final ClusterTopology topology;
    private final RedisFailures failures;

    ClusterCalls(ClusterTopology topology) {
        this.topology = topology;
        this.failures = new RedisFailures(topology.toString());
    }

    /** An operation on the store of one node. */
    interface Operation<T> {
        CompletionStage<T> on(ScriptStore store, CallMode mode);
    }

    /** Runs an operation on the primary of a key. */
    <T> CompletionStage<T> onPrimary(String key, CallMode mode, Supplier<Task> task, Operation<T> operation) {
        return new Call<>(key, task, operation).start(mode);
    }

    /**
     * Runs an operation on the cluster's map, when that is here. An operation that has to wait for it is asynchronous from then on: the lookup ends
     * on a thread of a driver, which must not block. And this thread may be one itself, on which a lost connection has a call repeated: if it
     * waited for the lookup, it could not read the replies to that.
     */
    <T> CompletionStage<T> onMap(
            CallMode mode, Supplier<Task> task, BiFunction<SlotMap, CallMode, CompletionStage<T>> operation) {
        CompletableFuture<SlotMap> map = topology.refresh();
        CallMode how = map.isDone() ? mode : CallMode.ASYNCHRONOUS;
        return Stages.recover(
                Stages.compose(map, found -> operation.apply(found, how)),
                failure -> CompletableFuture.failedFuture(failures.of(task.get().text(), failure)));
    }

    private final class Call<T> {

        private final String key;
        private final int slot;
        private final Supplier<Task> task;
        private final Operation<T> operation;
        private int redirections;

        Call(String key, Supplier<Task> task, Operation<T> operation) {
            this.key = key;
            this.slot = HashSlot.ofKey(key);
            this.task = task;
            this.operation = operation;
        }

        CompletionStage<T> start(CallMode mode) {
            Optional<ClusterNode> known = topology.known().flatMap(map -> map.owner(slot));
            return known.isPresent() && !known.get().isDoubtful()
                    ? run(known.get(), mode)
                    : onMap(mode, task, (map, how) -> run(owner(map), how));
        }

        private ClusterNode owner(SlotMap map) {
            return map.owner(slot)
                    .orElseThrow(() -> new RedisErrorException(
                            "CLUSTERDOWN slot " + slot + " of '" + Formats.cut(key, 80) + "' has no primary"));
        }

        private CompletionStage<T> run(ClusterNode node, CallMode mode) {
            return run(node, node.store(), mode);
        }

        private CompletionStage<T> run(ClusterNode node, ScriptStore store, CallMode mode) {
            return Stages.recover(operation.on(store, mode), failure -> failed(node, failure, mode));
        }

        private CompletionStage<T> failed(ClusterNode node, Throwable failure, CallMode mode) {
            Throwable cause = failure.getCause();
            if (cause instanceof RedisErrorException error) {
                Optional<Redirection> redirection = Redirection.read(error, node.address());
                if (redirection.isPresent()) {
                    return redirected(redirection.get(), failure, mode);
                }
                if (error.isServerUnavailable()) {
                    return elsewhere(node, failure);
                }
            }
            if (cause instanceof RedisConnectionException broken) {
                node.doubt();
                if (broken.failure() == RedisConnectionException.Failure.NOT_CONNECTED) {
                    return elsewhere(node, failure);
                }
            }
            return CompletableFuture.failedFuture(failure);
        }

        private CompletionStage<T> redirected(Redirection redirection, Throwable failure, CallMode mode) {
            if (++redirections > MOST_REDIRECTIONS) {
                return CompletableFuture.failedFuture(failures.of(
                        task.get().text(),
                        DriverFailures.notConnected("redirected too often: " + failure.getMessage(), failure)));
            }
            if (redirection.lasting()) {
                return run(topology.moved(redirection), mode);
            }
            ClusterNode target = topology.importing(redirection);
            return run(target, target.asking(), mode);
        }

        /** The node has not executed the operation. If another one is the primary by now, that one will. */
        private CompletionStage<T> elsewhere(ClusterNode node, Throwable failure) {
            node.doubt();
            CompletableFuture<Optional<ClusterNode>> other =
                    topology.refresh().handle((map, trouble) -> map == null ? Optional.empty() : map.owner(slot));
            // Not in the mode of the call: this may be a thread of the driver's, which must not block.
            return Stages.compose(
                    other,
                    owner -> owner.isPresent() && owner.get() != node && ++redirections <= MOST_REDIRECTIONS
                            ? run(owner.get(), CallMode.ASYNCHRONOUS)
                            : CompletableFuture.failedFuture(failure));
        }
    }
}
