package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.PooledConnection.Generation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interrupts that come while a call waits for its connection: Java closes the socket of a virtual thread that touches it while interrupted. */
class BlockingDriverTest {

    private final List<Boolean> interrupts = new ArrayList<>();
    private final BlockingDriver driver = new BlockingDriver(new InterruptedConnections(), "test-", 8) {};

    @ParameterizedTest
    @ValueSource(strings = {"ECHO", "EVALSHA"})
    void interruptDuringBorrowIsPutAsideForTheCall(String command) {
        assertThat(driver.call(RedisCall.of(command), CallMode.BLOCKING).toCompletableFuture())
                .isCompletedWithValue("reply");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupts).containsExactly(false);
    }

    @Test
    void interruptDuringBorrowIsPutAsideForTheSession() {
        assertThat(driver.withSession(CallMode.BLOCKING, session -> session.pipeline(List.of(RedisCall.of("ECHO"))))
                        .toCompletableFuture())
                .isCompletedWithValue(List.of("reply"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupts).containsExactly(false);
    }

    /** Each loan waits, is interrupted, and keeps the interrupt. */
    private final class InterruptedConnections implements BlockingConnections {

        @Override
        public String address() {
            return "localhost";
        }

        @Override
        public Duration timeout() {
            return Duration.ofMinutes(1);
        }

        @Override
        public BlockingConnection borrow(CallLane lane) {
            Thread.currentThread().interrupt();
            return new RecordingConnection();
        }

        @Override
        public void release(CallLane lane, BlockingConnection connection) {}

        @Override
        public BlockingConnection borrowForSubscription() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void trim() {}

        @Override
        public void close() {}
    }

    private final class RecordingConnection extends BlockingConnection {

        RecordingConnection() {
            super(new Generation(), System.nanoTime());
        }

        @Override
        protected void send(List<RedisCall> calls) {
            interrupts.add(Thread.currentThread().isInterrupted());
        }

        @Override
        protected boolean awaitReply(int millis) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected Object receive() {
            return "reply";
        }

        @Override
        protected int timeout() {
            return 0;
        }

        @Override
        protected void setTimeout(int millis) {}

        @Override
        public void close() {
            markBroken();
        }
    }
}
