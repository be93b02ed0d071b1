package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reply that is left to the caller is read once: then the connection belongs to another call. */
@Timeout(180)
class SentCallTest {

    private static final CallOptions OPTIONS = CallOptions.of(CallMode.ASYNCHRONOUS);
    private static final RedisCall ECHO = RedisCall.of("ECHO", "text");

    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final BlockingDriver driver = new BlockingDriver(new OneConnection(), "test-", 8) {};

    @AfterEach
    void close() {
        driver.close();
    }

    /** As where the owner of the reply runs into an error after it has left the reply to the driver. */
    @Test
    void replyThatIsQueuedTwiceIsReadOnce() throws Exception {
        assertThat(eventsOnThreadOfDriver(pending -> {
                    pending.readInBackground();
                    throw new AssertionError("on purpose");
                }))
                .containsExactly("send", "receive", "release");
    }

    @Test
    void replyThatCallerHasReadIsNotReadAgain() throws Exception {
        assertThat(eventsOnThreadOfDriver(pending -> {
                    assertThat(pending.read()).isTrue();
                    throw new AssertionError("on purpose");
                }))
                .containsExactly("send", "receive", "release");
    }

    @Test
    void replyThatNoThreadTakesIsReadAfterClose() throws Exception {
        CompletableFuture<?> reply = leave(pending -> {
            driver.close();
            pending.readInBackground();
            pending.readInBackground();
        });
        assertThat(reply.get(60, TimeUnit.SECONDS)).isEqualTo("reply");
        assertThat(events).containsExactly("send", "close", "receive", "release");
    }

    /** There a read in the background is done inside the call, so that all have ended when it returns. */
    private List<String> eventsOnThreadOfDriver(Consumer<PendingReply> unread) throws Exception {
        return driver.withSession(OPTIONS, session -> leave(unread).thenApply(reply -> List.copyOf(events)))
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    /** Repeats the call until its reply is left: the server must have been quick several times, on a machine that may stall. */
    private CompletableFuture<@Nullable Object> leave(Consumer<PendingReply> unread) {
        AtomicBoolean left = new AtomicBoolean();
        while (true) {
            events.clear();
            CompletableFuture<@Nullable Object> reply = driver.call(ECHO, OPTIONS, pending -> {
                        left.set(true);
                        unread.accept(pending);
                    })
                    .toCompletableFuture();
            if (left.get()) {
                return reply;
            }
            reply.join();
        }
    }

    /** Lends the same connection again and again. */
    private final class OneConnection extends StubConnections {

        private final BlockingConnection connection = new RecordingConnection();

        @Override
        public BlockingConnection borrow(CallLane lane) {
            return connection;
        }

        @Override
        public BlockingConnection borrowNow(CallLane lane) {
            return connection;
        }

        @Override
        public void release(CallLane lane, BlockingConnection returned) {
            events.add("release");
        }
    }

    private final class RecordingConnection extends StubConnections.Stub {

        @Override
        protected void send(List<RedisCall> calls) {
            events.add("send");
        }

        @Override
        protected Object receive() {
            events.add("receive");
            return super.receive();
        }

        @Override
        public void close() {
            events.add("close");
        }
    }
}
