package io.keyhold.spi;

import io.keyhold.spi.PooledConnection.Generation;
import java.time.Duration;

/** Connections to no server, whose replies are always the same. A test says what it looks at. */
abstract class StubConnections implements BlockingConnections {

    @Override
    public String address() {
        return "localhost";
    }

    @Override
    public Duration timeout() {
        return Duration.ofMinutes(1);
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

    /** One of them. */
    abstract static class Stub extends BlockingConnection {

        Stub() {
            super(new Generation(), System.nanoTime());
        }

        @Override
        protected boolean awaitReply(int millis) {
            return true;
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
