package io.keyhold.internal.store.redis;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at the server itself. A server that does not understand a command may be too old.
 *
 * <p>The settings are looked at once. A lock key has an expiry, so every eviction policy but {@code noeviction} may drop it
 * while it is held, and a second holder gets in: worth a warning, but not a failure.
 */
final class ServerCheck {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final Pattern POLICY = Pattern.compile("^maxmemory_policy:(\\S+)", Pattern.MULTILINE);
    private static final Pattern VERSION = Pattern.compile("^redis_version:((\\d+)\\.(\\d+)\\S*)", Pattern.MULTILINE);
    private static final int[] OLDEST = {6, 2};
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

    /** Returns whether the server may have refused a command because it is too old. */
    static boolean isNotUnderstood(Throwable failure) {
        String words = String.valueOf(failure.getMessage());
        return failure instanceof RedisErrorException refusal
                && refusal.code().equals("ERR")
                && (words.contains("syntax error") || words.contains("nknown"));
    }

    /** Returns the version of the server if it is older than Redis 6.2; empty also if it does not say. */
    CompletionStage<Optional<String>> versionIfTooOld() {
        return Stages.flat(() -> driver.call(RedisCall.of("INFO", "server"), CallMode.ASYNCHRONOUS))
                .thenApply(info -> Optional.of(VERSION.matcher(String.valueOf(info)))
                        .filter(version -> version.find() && isTooOld(version))
                        .map(version -> version.group(1)))
                .exceptionally(failure -> Optional.empty());
    }

    private static boolean isTooOld(Matcher version) {
        int major = Integer.parseInt(version.group(2));
        return major < OLDEST[0] || (major == OLDEST[0] && Integer.parseInt(version.group(3)) < OLDEST[1]);
    }

    /** Returns whether the server writes to its disk before it replies; false also if it does not permit the question. */
    CompletionStage<Boolean> losesNothing() {
        return hasSetting("appendonly", "yes")
                .thenCombine(hasSetting("appendfsync", "always"), Boolean::logicalAnd)
                .thenCombine(hasSetting("no-appendfsync-on-rewrite", "no"), Boolean::logicalAnd)
                .exceptionally(failure -> false);
    }

    private CompletionStage<Boolean> hasSetting(String name, String value) {
        return driver.call(RedisCall.of("CONFIG", "GET", name), CallMode.ASYNCHRONOUS)
                .thenApply(reply -> {
                    List<?> parts = Replies.list(reply);
                    return parts.size() == 2 && value.equals(parts.get(1));
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
