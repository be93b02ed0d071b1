package io.keyhold.internal.simulation;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.redis.ScriptRequest;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A driver for a group of replicated servers. Each connection leads to the server that was the master when it was opened; so a client may talk to
 * an old master and to the new one at the same time.
 */
final class SimulatedDriver implements RedisDriver {

    private static final int CONNECTIONS = 3;
    private static final double OPENS_ANOTHER = 0.05;

    private final Simulation simulation;
    private final SimulatedClient client;
    private final ReplicaGroup group;
    private final Releases releases;
    private final List<Link> connections = new ArrayList<>();

    SimulatedDriver(Simulation simulation, SimulatedClient client, ReplicaGroup group, Releases releases) {
        this.simulation = simulation;
        this.client = client;
        this.group = group;
        this.releases = releases;
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(toMaster());
        }
    }

    private Link toMaster() {
        SimulatedNode master = group.master();
        return client.links().stream()
                .filter(link -> link.node().equals(master))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String address() {
        return "group";
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        return send(List.of(call), options, any()).thenApply(replies -> replies.get(0));
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        int connection = any();
        return work.apply(new RedisSession() {
            @Override
            public CompletionStage<List<@Nullable Object>> pipeline(List<RedisCall> calls) {
                return send(calls, options, connection);
            }

            @Override
            public CompletionStage<@Nullable List<@Nullable Object>> transaction(List<RedisCall> calls) {
                throw new UnsupportedOperationException("scripts need no transaction");
            }
        });
    }

    private int any() {
        int connection = simulation.random().nextInt(connections.size());
        if (simulation.chance(OPENS_ANOTHER)) {
            connections.set(connection, toMaster());
        }
        return connection;
    }

    private CompletionStage<List<@Nullable Object>> send(List<RedisCall> calls, CallOptions options, int connection) {
        client.mayPause();
        options.sending().run();
        Link link = connections.get(connection);
        ReplicatedNode server = (ReplicatedNode) link.node();
        ScriptRequest first = ScriptRequest.read(calls.get(0)).orElse(null);
        String token = first == null ? "" : first.token();
        boolean releasing = first != null
                && (first.script().equals("release") || first.script().equals("rest"));
        Message<List<@Nullable Object>> message = Message.of(
                first == null ? calls.get(0).command() : first.script() + " " + Trace.brief(token),
                options.lane() == CallLane.RELEASE ? Message.On.CHECKED : Message.On.ANY,
                store -> {
                    CompletionStage<List<@Nullable Object>> replies = server.execute(calls);
                    return releasing ? replies.whenComplete((reply, failure) -> noteFreed(token, reply)) : replies;
                });
        if (releasing) {
            message = message.ifLost(() -> releases.lostInFlight(token));
        }
        return link.ask(message)
                .thenApply(replies -> {
                    if (first != null && releasing) {
                        noteRest(first, replies);
                    }
                    return replies;
                })
                .exceptionallyCompose(failure -> failed(connection, link, Stages.unwrapped(failure)));
    }

    /** What was executed before a {@code WAIT} that failed may have freed it. */
    private void noteFreed(String token, @Nullable List<@Nullable Object> replies) {
        if (replies == null || !(replies.get(0) instanceof List<?>)) {
            releases.freed(token);
        }
    }

    private void noteRest(ScriptRequest rest, List<@Nullable Object> replies) {
        if (rest.script().equals("rest")
                && replies.get(0) instanceof Long
                && replies.get(replies.size() - 1) instanceof Long acknowledged
                && replies.size() > 1
                && acknowledged >= group.replicasOfMajority()) {
            client.links().forEach(link -> releases.rests(rest.token(), link.node()));
        }
    }

    /** A lost connection is opened again, to the master of then; a server that does not serve loses all of them. */
    private <T> CompletionStage<T> failed(int connection, Link link, Throwable failure) {
        if (failure instanceof RedisErrorException error) {
            if (error.isServerUnavailable()) {
                connections.replaceAll(each -> each.equals(link) ? toMaster() : each);
            }
            return CompletableFuture.failedStage(error);
        }
        connections.set(connection, toMaster());
        return CompletableFuture.failedStage(
                failure.getCause() instanceof RedisConnectionException cause ? cause : failure);
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        Link link = toMaster();
        return link.openGrantChannel(channel, new Texts(listener))
                .<RedisSubscription>thenApply(opened -> opened.orElseThrow()::close)
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                        Stages.unwrapped(failure).getCause() instanceof RedisConnectionException cause
                                ? cause
                                : Stages.unwrapped(failure)));
    }

    @Override
    public void close() {}

    /** Messages as a server publishes them. */
    private record Texts(RedisListener listener) implements GrantSubscription.Listener {

        @Override
        public void granted(GrantNotice notice) {
            listener.onMessage("granted " + notice.number() + " " + notice.fencingToken() + " " + notice.atMicros());
        }

        @Override
        public void freed(long number) {
            listener.onMessage("freed " + number);
        }

        @Override
        public void probed() {
            listener.onMessage("probe");
        }

        @Override
        public void ended(Throwable reason) {
            listener.onClosed(reason);
        }
    }
}
