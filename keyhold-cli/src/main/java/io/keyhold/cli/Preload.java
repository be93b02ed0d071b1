package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Initialises slow parts of the JVM and of the library on a second core while the first parses the command line and finds the server:
 * security providers, process handles, the logger, and all that the first lock needs take longer than the rest of a short run.
 */
final class Preload implements Runnable {

    private Preload() {}

    static void start() {
        Thread thread = new Thread(new Preload(), "keyhold-preload");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try (Keyhold keyhold = Keyhold.builder().driver(new NoServer()).build()) {
            new SecureRandom().nextInt();
            MessageDigest.getInstance("SHA-1");
            System.getLogger("io.keyhold");
            ProcessHandle.current();
            keyhold.lock("preload").acquire().release();
        } catch (NoSuchAlgorithmException | InterruptedException | RuntimeException | Error ignored) {
            // The code that needs it will report it.
        }
    }

    /** Grants and releases one lock, with the replies of a server. */
    private static final class NoServer implements RedisDriver {

        private @Nullable Object nextReply = "1000000000000000";

        @Override
        public String address() {
            return "no server";
        }

        @Override
        public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
            Object reply = "";
            if (call.command().equals("EVALSHA")) {
                reply = nextReply;
                nextReply = 1L;
            }
            return CompletableFuture.completedFuture(reply);
        }

        @Override
        public <T> CompletionStage<T> withSession(
                CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
