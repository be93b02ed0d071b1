package io.keyhold.internal.store.redis;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks once at the server's settings. A lock key has an expiry, so every eviction policy but {@code noeviction} may drop it
 * while it is held, and a second holder gets in: worth a warning, but not a failure.
 */
final class ServerCheck {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final Pattern POLICY = Pattern.compile("^maxmemory_policy:(\\S+)", Pattern.MULTILINE);
    private static final Pattern LIMIT = Pattern.compile("^maxmemory:(\\d+)", Pattern.MULTILINE);

    private final RedisDriver driver;
    private final AtomicBoolean done = new AtomicBoolean();

    ServerCheck(RedisDriver driver) {
        this.driver = driver;
    }

    void once(CallMode mode) {
        if (done.get() || !done.compareAndSet(false, true)) {
            return;
        }
        driver.call(RedisCall.of("INFO", "memory"), mode).whenComplete((reply, failure) -> {
            if (failure != null) {
                // Unless the server itself said no, the next acquire is a new occasion.
                done.set(Stages.unwrapped(failure) instanceof RedisErrorException);
                LOG.log(Level.DEBUG, "could not look at the settings of Redis at {0}: {1}", driver.address(), failure);
            } else if (reply instanceof String info) {
                warnOfEviction(info);
            }
        });
    }

    private void warnOfEviction(String info) {
        Matcher policy = POLICY.matcher(info);
        Matcher limit = LIMIT.matcher(info);
        if (policy.find()
                && !policy.group(1).equals("noeviction")
                && limit.find()
                && !limit.group(1).equals("0")) {
            LOG.log(
                    Level.WARNING,
                    "Redis at {0} has maxmemory-policy {1}: when memory runs short it may drop a lock that is held, and a"
                            + " second holder gets in. Set maxmemory-policy noeviction on a server that keeps locks.",
                    driver.address(),
                    policy.group(1));
        }
    }
}
