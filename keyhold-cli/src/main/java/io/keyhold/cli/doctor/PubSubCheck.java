package io.keyhold.cli.doctor;

import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether this user hears what is published: that is how a waiter learns that it is its turn. */
final class PubSubCheck implements Check {

    private static final long PATIENCE_SECONDS = 5;

    private final Server server;

    PubSubCheck(Server server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "pubsub";
    }

    @Override
    public Finding examine() {
        String channel = "keyhold:inbox:doctor-" + UUID.randomUUID();
        CompletableFuture<String> heard = new CompletableFuture<>();
        try {
            RedisSubscription subscription = Server.await(server.driver().subscribe(channel, new Ear(heard)));
            try {
                if (!isCounted(server.call("PUBSUB", "NUMSUB", channel))) {
                    return trouble("the server that executes commands does not know of the subscription");
                }
                server.call("PUBLISH", channel, "probe");
                heard.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
            } finally {
                subscription.close();
            }
            return Finding.ok(this, "allowed, and messages arrive");
        } catch (RedisErrorException refused) {
            return trouble("refused: " + refused.getMessage());
        } catch (CompletionException silence) {
            return trouble("a message was published and not heard");
        }
    }

    private static boolean isCounted(@Nullable Object subscribers) {
        return subscribers instanceof List<?> counts && !Long.valueOf(0).equals(counts.get(1));
    }

    private Finding trouble(String seen) {
        return Finding.warn(
                this,
                seen,
                "Waiters are not called when it is their turn: they ask again and again, and are not served in order.",
                "Allow &keyhold:inbox:* and +@pubsub to this user (docs/keys.md has the whole rule).");
    }

    private record Ear(CompletableFuture<String> heard) implements RedisListener {

        @Override
        public void onMessage(String text) {
            heard.complete(text);
        }

        @Override
        public void onClosed(Throwable reason) {
            heard.completeExceptionally(reason);
        }
    }
}
