package io.keyhold.internal.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.internal.store.VotingNode;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class BroadcastTest {

    private final List<Runnable> timeouts = new ArrayList<>();
    private final Broadcast broadcast = new Broadcast((nanos, action) -> {
        timeouts.add(action);
        return () -> {};
    });

    /** The reply arrives at the worst instant: the timer has completed the future, and the listener does not know it yet. */
    @Test
    void lateReplyFollowsTimeout() {
        VotingNode node = (VotingNode) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {VotingNode.class}, (proxy, method, arguments) -> null);
        CompletableFuture<String> reply = new CompletableFuture<>();
        List<String> heard = new ArrayList<>();
        broadcast.send(List.of(node), Duration.ofMillis(50), asked -> reply, new Broadcast.Listener<String>() {
            @Override
            public void onReply(VotingNode from, CompletableFuture<String> counted) {
                reply.complete("granted");
                heard.add(counted.isCompletedExceptionally() ? "timeout" : counted.join());
            }

            @Override
            public void onLateReply(VotingNode from, CompletableFuture<String> late) {
                heard.add("late: " + late.join());
            }
        });
        timeouts.forEach(Runnable::run);
        assertThat(heard).containsExactly("timeout", "late: granted");
    }
}
