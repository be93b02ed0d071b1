package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a caller and a listener get of what a driver reports. */
class DriverSubscriptionTest {

    private final List<String> heard = new ArrayList<>();
    private final FakeSubscription subscription = new FakeSubscription(new RedisListener() {
        @Override
        public void onMessage(String text) {
            heard.add(text);
            if (text.equals("bad")) {
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void onClosed(Throwable reason) {
            heard.add("closed: " + reason.getMessage());
        }
    });
    private final CompletableFuture<RedisSubscription> confirmation =
            subscription.confirmation().toCompletableFuture();

    @Test
    void endOfConfirmedSubscriptionIsReportedOnceForItsFirstReason() {
        subscription.confirm();
        assertThat(confirmation).isCompletedWithValue(subscription);
        subscription.close(new IllegalStateException("first"));
        subscription.close();
        subscription.end(new IllegalStateException("second"));
        subscription.end(new IllegalStateException("third"));
        assertThat(heard).containsExactly("closed: first");
    }

    @Test
    void endBeforeConfirmationFailsTheStageAlone() {
        subscription.end(new IllegalStateException("refused"));
        assertThat(confirmation).isCompletedExceptionally();
        subscription.end(new IllegalStateException("second"));
        assertThat(heard).isEmpty();
    }

    /** The command timeout may be over when the confirmation comes. */
    @Test
    void lateConfirmationClosesConnection() {
        subscription.end(new IllegalStateException("timed out"));
        subscription.confirm();
        subscription.message("unheard");
        assertThat(subscription.closed).isTrue();
        assertThat(heard).isEmpty();
    }

    @Test
    void confirmationOfClosedSubscriptionClosesConnection() {
        subscription.close();
        subscription.closed = false; // There was no connection to close.
        subscription.confirm();
        assertThat(subscription.closed).isTrue();
        subscription.end(new IllegalStateException("socket closed"));
        assertThat(confirmation).isCompletedExceptionally();
        assertThat(heard).isEmpty();
    }

    @Test
    void subscriptionThatTheCallerGaveUpIsClosed() {
        confirmation.cancel(false);
        subscription.confirm();
        assertThat(subscription.closed).isTrue();
    }

    @Test
    void listenerThatThrowsGetsWhatComesNext() {
        subscription.confirm();
        subscription.message("bad");
        subscription.message("good");
        assertThat(heard).containsExactly("bad", "good");
    }

    private static final class FakeSubscription extends DriverSubscription {

        private boolean closed;

        FakeSubscription(RedisListener listener) {
            super(listener);
        }

        @Override
        protected String address() {
            return "fake";
        }

        @Override
        protected void closeConnection() {
            closed = true;
        }
    }
}
