package io.keyhold.internal.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.internal.store.VotingNode;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.PendingReply;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
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
        VotingNode node = node();
        CompletableFuture<String> reply = new CompletableFuture<>();
        List<String> heard = new ArrayList<>();
        broadcast.send(
                List.of(node),
                Duration.ofMillis(50),
                CallMode.ASYNCHRONOUS,
                (asked, unread) -> reply,
                new Broadcast.Listener<String>() {
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

    @Test
    void quickRepliesAreReadWithoutTimer() {
        LeftReply left = new LeftReply(true);
        assertThat(sendAndRead(left)).containsExactly("granted");
        assertThat(left.events).containsExactly("sent", "read");
        assertThat(timeouts).isEmpty();
    }

    @Test
    void slowReplyIsReadElsewhereAndHasTimeout() {
        LeftReply left = new LeftReply(false);
        List<String> heard = sendAndRead(left);
        assertThat(left.events).containsExactly("sent", "read", "background");
        assertThat(heard).isEmpty();
        timeouts.forEach(Runnable::run);
        assertThat(heard).containsExactly("timeout");
    }

    /** The reply of a slow node lets a request follow it, when the thread that would read has gone. */
    @Test
    void replyThatIsLeftTooLateIsReadElsewhere() {
        LeftReply left = new LeftReply(true);
        List<Consumer<PendingReply>> readers = new ArrayList<>();
        sendAndRead(left, readers::add);
        readers.forEach(reader -> reader.accept(left));
        assertThat(left.events).containsExactly("background");
    }

    private List<String> sendAndRead(LeftReply left) {
        return sendAndRead(left, unread -> {
            left.events.add("sent");
            unread.accept(left);
        });
    }

    /** Returns what was heard of one node, which gets the reader of its reply when it is asked. */
    private List<String> sendAndRead(LeftReply left, Consumer<Consumer<PendingReply>> node) {
        List<String> heard = new ArrayList<>();
        broadcast.send(
                List.of(node()),
                Duration.ofMillis(50),
                CallMode.BLOCKING,
                (to, unread) -> {
                    node.accept(Objects.requireNonNull(unread, "a thread waits for it"));
                    return left.stage;
                },
                (from, reply) -> heard.add(reply.isCompletedExceptionally() ? "timeout" : reply.join()));
        return heard;
    }

    /** A reply that a node has left to be read. */
    private static final class LeftReply implements PendingReply {

        final List<String> events = new ArrayList<>();
        final CompletableFuture<String> stage = new CompletableFuture<>();
        private final boolean quick;

        LeftReply(boolean quick) {
            this.quick = quick;
        }

        @Override
        public boolean read() {
            events.add("read");
            return quick && stage.complete("granted");
        }

        @Override
        public void readInBackground() {
            events.add("background");
        }
    }

    private VotingNode node() {
        return (VotingNode) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {VotingNode.class}, (proxy, method, arguments) -> null);
    }
}
