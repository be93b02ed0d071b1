package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The subscription of one client to its grant channel. The messages: {@code granted number fencingToken micros} (see {@code handover.lua} and {@code permits.lua}),
 * {@code freed number} (see {@link TransactionStore}), and {@code probe}.
 */
final class RedisGrantSubscription implements GrantSubscription {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final String GRANTED = "granted";
    private static final String FREED = "freed";
    private static final String PROBE = "probe";
    private static final String SEPARATOR = ":";
    private static final String REPLICA = "replica";
    /** A part that is long enough to differ from every earlier one. */
    private static final Pattern IDENTITY = Pattern.compile("master_replid:(\\w{1,8})");

    private final RedisDriver driver;
    private final String channel;
    private final String incarnation;
    private final RedisSubscription subscription;
    private final Reader reader;

    private RedisGrantSubscription(
            RedisDriver driver, String channel, String incarnation, RedisSubscription subscription, Reader reader) {
        this.driver = driver;
        this.channel = channel;
        this.incarnation = incarnation;
        this.subscription = subscription;
        this.reader = reader;
    }

    /**
     * Subscribes to the channel of a client, which has another name at each incarnation of the server. The queue of a promoted replica, or of a
     * server that restarts with its data, may have entries of requests that have ended since it was written. They name the channel of the
     * earlier incarnation, which has no subscriber, so that a lock is not handed over to them.
     *
     * <p>Fails if the server that has the locks does not know of the subscription: its scripts would grant nothing to it.
     */
    static CompletionStage<GrantSubscription> open(RedisDriver driver, String client, Listener listener) {
        Reader reader = new Reader(listener);
        return incarnation(driver).thenCompose(incarnation -> {
            if (incarnation.equals(REPLICA)) {
                return CompletableFuture.failedFuture(notConnected("the server is a replica", null));
            }
            String channel = client + incarnation;
            return driver.subscribe(channel, reader).thenCompose(subscription -> {
                RedisGrantSubscription grants =
                        new RedisGrantSubscription(driver, channel, incarnation, subscription, reader);
                return grants.isKnown().handle((known, failure) -> grants.checked(known, failure));
            });
        });
    }

    /** Returns whether an address is the channel of this client, at any incarnation of the server. */
    static boolean isOf(String client, String address) {
        return address.equals(client) || address.startsWith(client + SEPARATOR);
    }

    /**
     * Returns the end of the channel's name at this incarnation of the server; empty if the server does not permit the question. A replica names
     * the incarnation of its master, and has another one when it is promoted.
     */
    private static CompletionStage<String> incarnation(RedisDriver driver) {
        CompletionStage<@Nullable Object> asked =
                driver.call(RedisCall.of("INFO", "replication"), CallMode.ASYNCHRONOUS);
        return Stages.recover(
                        asked,
                        failure -> failure instanceof RedisErrorException error
                                        && (error.code().equals("NOPERM") || ServerCheck.isNotUnderstood(error))
                                ? CompletableFuture.<@Nullable Object>completedFuture("")
                                : CompletableFuture.failedFuture(failure))
                .thenApply(reply -> {
                    String info = String.valueOf(reply);
                    Matcher identity = IDENTITY.matcher(info);
                    return info.contains("role:slave") ? REPLICA : identity.find() ? SEPARATOR + identity.group(1) : "";
                });
    }

    private GrantSubscription checked(@Nullable Boolean known, @Nullable Throwable failure) {
        if (Boolean.TRUE.equals(known)) {
            return this;
        }
        reader.abandoned = true;
        close();
        if (failure != null && Stages.unwrapped(failure) instanceof RuntimeException cause) {
            throw cause;
        }
        throw notConnected("the subscription is not on the server that executes the commands", failure);
    }

    private static RedisConnectionException notConnected(String reason, @Nullable Throwable cause) {
        return new RedisConnectionException(RedisConnectionException.Failure.NOT_CONNECTED, reason, cause);
    }

    /** The number of subscribers of a channel on the server that executes this; see {@code handover.lua}. */
    static RedisCall subscribers(String channel) {
        return RedisCall.of("PUBSUB", "NUMSUB", channel);
    }

    /** Whether the reply to {@link #subscribers} counts any. */
    static boolean isAny(@Nullable Object reply) {
        return Replies.number(Replies.list(reply).get(1)) > 0;
    }

    /** Tells the first in a queue that the lock may be free. */
    static RedisCall freed(String channel, long number) {
        return RedisCall.of("PUBLISH", channel, FREED + " " + number);
    }

    @Override
    public String address() {
        return channel;
    }

    /** Returns whether the server knows of the subscription, and is still the incarnation that the channel is named by. */
    private CompletionStage<Boolean> isKnown() {
        return driver.call(subscribers(channel), CallMode.ASYNCHRONOUS)
                .thenCombine(incarnation(driver), (reply, now) -> isAny(reply) && now.equals(incarnation));
    }

    @Override
    public CompletionStage<Boolean> probe() {
        driver.call(RedisCall.of("PUBLISH", channel, PROBE), CallMode.ASYNCHRONOUS)
                .whenComplete((reply, failure) -> {
                    if (failure != null && Stages.unwrapped(failure) instanceof RedisErrorException) {
                        reader.listener.probed(); // It may not publish, which says nothing of what it hears.
                    }
                });
        return isKnown();
    }

    @Override
    public void close() {
        subscription.close();
    }

    private static final class Reader implements RedisListener {

        private final Listener listener;
        /** Whether it was closed before it was of use, so that its end is no news. */
        private volatile boolean abandoned;

        Reader(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void onMessage(String text) {
            String[] parts = text.split(" ", -1);
            try {
                switch (parts[0]) {
                    case GRANTED -> listener.granted(Replies.grant(text.substring(GRANTED.length() + 1)));
                    case FREED -> listener.freed(Long.parseLong(parts[1]));
                    case PROBE -> listener.probed();
                    default -> LOG.log(Level.INFO, "an unknown message arrived on the grant channel");
                }
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                LOG.log(Level.INFO, "a malformed message arrived on the grant channel");
            }
        }

        @Override
        public void onClosed(Throwable reason) {
            if (!abandoned) {
                listener.ended(reason);
            }
        }
    }
}
