package io.keyhold.doctor;

import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether this user may use the grant channel, which tells waiters of their grants. */
final class PubSubCheck extends ServerCheck {

    /** Longer than a busy machine stands still. */
    private static final long TIMEOUT_SECONDS = 15;

    PubSubCheck(Server server) {
        super("pubsub", server);
    }

    @Override
    Finding run() {
        String channel = "keyhold:grants:doctor-" + UUID.randomUUID();
        CompletableFuture<String> received = new CompletableFuture<>();
        try {
            RedisSubscription subscription = Server.await(server.driver().subscribe(channel, new Listener(received)));
            try {
                if (!isCounted(server.call("PUBSUB", "NUMSUB", channel))) {
                    return warning("the server that executes commands does not count the subscription");
                }
                server.call("PUBLISH", channel, "probe");
                received.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
            } finally {
                subscription.close();
            }
            return ok("allowed; messages arrive");
        } catch (RedisErrorException refused) {
            return warning("refused: " + refused.getMessage());
        } catch (CompletionException notReceived) {
            return warning("a published message did not arrive");
        }
    }

    private static boolean isCounted(@Nullable Object subscribers) {
        return subscribers instanceof List<?> counts && !Long.valueOf(0).equals(counts.get(1));
    }

    private Finding warning(String seen) {
        return warn(
                seen,
                "Waiters get no grant messages: they poll, and locks are not granted in order.",
                "Allow &keyhold:grants:* and +@pubsub for this user (docs/keys.md has the complete ACL).");
    }

    private record Listener(CompletableFuture<String> received) implements RedisListener {

        @Override
        public void onMessage(String text) {
            received.complete(text);
        }

        @Override
        public void onClosed(Throwable reason) {
            received.completeExceptionally(reason);
        }
    }
}
