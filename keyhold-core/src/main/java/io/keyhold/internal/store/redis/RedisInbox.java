package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.Inbox;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionStage;

/**
 * An inbox on a channel of its own. The messages: {@code granted number fencingToken micros} (see {@code handover.lua} and {@code permits.lua}),
 * {@code freed number} (see {@link ReleaseTransaction}), and {@code probe}.
 */
final class RedisInbox implements Inbox {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final String GRANTED = "granted";
    private static final String FREED = "freed";
    private static final String PROBE = "probe";

    private final RedisDriver driver;
    private final String channel;
    private final RedisSubscription subscription;

    private RedisInbox(RedisDriver driver, String channel, RedisSubscription subscription) {
        this.driver = driver;
        this.channel = channel;
        this.subscription = subscription;
    }

    static CompletionStage<Inbox> open(RedisDriver driver, String channel, Listener listener) {
        return driver.subscribe(channel, new Reader(listener))
                .thenApply(subscription -> new RedisInbox(driver, channel, subscription));
    }

    /** Tells the first in a queue that the lock may be free. */
    static RedisCall freed(String inbox, long number) {
        return RedisCall.of("PUBLISH", inbox, FREED + " " + number);
    }

    @Override
    public String address() {
        return channel;
    }

    @Override
    public CompletionStage<Boolean> probe() {
        return driver.call(RedisCall.of("PUBLISH", channel, PROBE), CallMode.ASYNCHRONOUS)
                .thenApply(reply -> Replies.number(reply) > 0);
    }

    @Override
    public void close() {
        subscription.close();
    }

    private record Reader(Listener listener) implements RedisListener {

        @Override
        public void message(String text) {
            String[] parts = text.split(" ", -1);
            try {
                switch (parts[0]) {
                    case GRANTED -> listener.granted(grant(parts));
                    case FREED -> listener.freed(Long.parseLong(parts[1]));
                    case PROBE -> listener.probed();
                    default -> LOG.log(Level.INFO, "an unknown message arrived in the inbox");
                }
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                LOG.log(Level.INFO, "a message arrived in the inbox that makes no sense");
            }
        }

        @Override
        public void ended(Throwable reason) {
            listener.ended(reason);
        }

        private static GrantNotice grant(String[] parts) {
            return new GrantNotice(Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
        }
    }
}
