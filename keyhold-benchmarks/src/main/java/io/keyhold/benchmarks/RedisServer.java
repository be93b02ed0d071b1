package io.keyhold.benchmarks;

import io.keyhold.embedded.EmbeddedRedis;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** The server that all contenders share, started here or given, and its statistics. */
public final class RedisServer implements AutoCloseable {

    /** Part of all keys, so that they can be removed from a server that was not started here. */
    public static final String KEY_PREFIX = "keyhold-benchmark:";

    private static final Pattern CALLS = Pattern.compile("(?m)^cmdstat_[^:]+:calls=(\\d+)");
    private static final int KEYS_PER_COMMAND = 500;

    private final @Nullable EmbeddedRedis own;
    private final String uri;
    private final RedisClient redis;
    private boolean paused;
    private long ownInfos;

    private RedisServer(@Nullable EmbeddedRedis own, String uri) {
        this.own = own;
        this.uri = uri;
        this.redis = RedisClient.create(URI.create(uri));
    }

    /** Starts a server, unless the URI of one is given. */
    public static RedisServer open(Optional<String> uri) {
        if (uri.isPresent()) {
            return new RedisServer(null, uri.get());
        }
        EmbeddedRedis own = EmbeddedRedis.start();
        return new RedisServer(own, own.uri());
    }

    /** Returns its address. */
    public String uri() {
        return uri;
    }

    /** Stops the process (SIGSTOP): connections stay open and no command gets a reply. Only for a server that was started here. */
    public void pause() {
        startedHere().pause();
        paused = true;
    }

    /** Resumes it, and returns when it replies again. */
    public void resume() {
        startedHere().resume();
        paused = false;
        redis.ping();
    }

    /** Returns whether it is paused. */
    boolean isPaused() {
        return paused;
    }

    private EmbeddedRedis startedHere() {
        if (own == null) {
            throw new IllegalStateException("the server at " + uri + " was not started here");
        }
        return own;
    }

    /** Returns its name and version. */
    public String version() {
        return "Redis " + field(info("server"), "redis_version");
    }

    /**
     * Returns how many commands it has run: the sum of all calls in INFO commandstats. A script counts as one, and each command
     * inside it as one more. The INFO commands sent here are left out, those of the contenders are not.
     */
    public long commandsRun() {
        long calls = -ownInfos; // The server counts the one that follows after its reply.
        Matcher matcher = CALLS.matcher(info("commandstats"));
        while (matcher.find()) {
            calls += Long.parseLong(matcher.group(1));
        }
        return calls;
    }

    /** Returns how many keys have expired. */
    public long keysExpired() {
        return Long.parseLong(field(info("stats"), "expired_keys"));
    }

    /** Returns how many of these keys exist. */
    public long countExisting(List<String> keys) {
        long existing = 0;
        for (int first = 0; first < keys.size(); first += KEYS_PER_COMMAND) {
            List<String> some = keys.subList(first, Math.min(keys.size(), first + KEYS_PER_COMMAND));
            existing += redis.exists(some.toArray(String[]::new));
        }
        return existing;
    }

    /** Removes all keys of the contenders. */
    public void sweep() {
        ScanParams ours = new ScanParams().match("*" + KEY_PREFIX + "*").count(KEYS_PER_COMMAND);
        String cursor = ScanParams.SCAN_POINTER_START;
        List<String> keys = new ArrayList<>();
        do {
            ScanResult<String> page = redis.scan(cursor, ours);
            keys.addAll(page.getResult());
            cursor = page.getCursor();
        } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
        for (int first = 0; first < keys.size(); first += KEYS_PER_COMMAND) {
            redis.unlink(keys.subList(first, Math.min(keys.size(), first + KEYS_PER_COMMAND))
                    .toArray(String[]::new));
        }
    }

    private String info(String section) {
        ownInfos++;
        return redis.info(section);
    }

    private static String field(String info, String name) {
        Matcher matcher = Pattern.compile("(?m)^" + name + ":(\\S+)").matcher(info);
        if (!matcher.find()) {
            throw new IllegalStateException("INFO of the server has no " + name);
        }
        return matcher.group(1);
    }

    @Override
    public void close() {
        redis.close();
        if (own != null) {
            own.close();
        }
    }
}
