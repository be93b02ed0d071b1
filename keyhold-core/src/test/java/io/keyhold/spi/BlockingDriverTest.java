package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;

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
    private final class InterruptedConnections extends StubConnections {

        @Override
        public BlockingConnection borrow(CallLane lane) {
            Thread.currentThread().interrupt();
            return new RecordingConnection();
        }
    }

    private final class RecordingConnection extends StubConnections.Stub {

        @Override
        protected void send(List<RedisCall> calls) {
            interrupts.add(Thread.currentThread().isInterrupted());
        }

        @Override
        protected boolean awaitReply(int millis) {
            throw new UnsupportedOperationException();
        }
    }
}
