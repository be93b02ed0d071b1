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

/** A server that all contenders share: one that is started here, or another's; and what it tells about its work. */
public final class RedisServer implements AutoCloseable {

    /** All keys contain this, so that they can be swept up afterwards on a server that is not ours. */
    public static final String KEY_PREFIX = "keyhold-benchmark:";

    private static final Pattern CALLS = Pattern.compile("(?m)^cmdstat_[^:]+:calls=(\\d+)");
    private static final int KEYS_AT_A_TIME = 500;

    private final @Nullable EmbeddedRedis own;
    private final String uri;
    private final RedisClient redis;
    private boolean stopped;
    private long ownQuestions;

    private RedisServer(@Nullable EmbeddedRedis own, String uri) {
        this.own = own;
        this.uri = uri;
        this.redis = RedisClient.create(URI.create(uri));
    }

    /** Starts a server, unless there is the URI of one. */
    public static RedisServer open(Optional<String> uri) {
        if (uri.isPresent()) {
            return new RedisServer(null, uri.get());
        }
        EmbeddedRedis own = EmbeddedRedis.start();
        return new RedisServer(own, own.uri());
    }

    /** Where it is. */
    public String uri() {
        return uri;
    }

    /** Stops it in its tracks (SIGSTOP): connections stay open and nobody answers. Only one that was started here. */
    public void stop() {
        startedHere().pause();
        stopped = true;
    }

    /** Lets it go on, and returns when it answers again. */
    public void goOn() {
        startedHere().resume();
        stopped = false;
        redis.ping();
    }

    /** Whether it answers nobody. */
    boolean isStopped() {
        return stopped;
    }

    private EmbeddedRedis startedHere() {
        if (own == null) {
            throw new IllegalStateException("the server at " + uri + " was not started here");
        }
        return own;
    }

    /** What it calls itself. */
    public String version() {
        return "Redis " + field(info("server"), "redis_version");
    }

    /**
     * How many commands it has run. That is the sum of all calls in its INFO commandstats: a script counts as one, and each
     * command inside it as one more. Our own INFO is left out, and those of the contenders are not.
     */
    public long commandsRun() {
        long calls = -ownQuestions; // The one that follows is counted by the server when it is answered.
        Matcher matcher = CALLS.matcher(info("commandstats"));
        while (matcher.find()) {
            calls += Long.parseLong(matcher.group(1));
        }
        return calls;
    }

    /** How many keys have run out. */
    public long keysExpired() {
        return Long.parseLong(field(info("stats"), "expired_keys"));
    }

    /** How many of these exist. */
    public long countExisting(List<String> keys) {
        long existing = 0;
        for (int first = 0; first < keys.size(); first += KEYS_AT_A_TIME) {
            List<String> some = keys.subList(first, Math.min(keys.size(), first + KEYS_AT_A_TIME));
            existing += redis.exists(some.toArray(String[]::new));
        }
        return existing;
    }

    /** Removes what the contenders have left behind. */
    public void sweep() {
        ScanParams ours = new ScanParams().match("*" + KEY_PREFIX + "*").count(KEYS_AT_A_TIME);
        String cursor = ScanParams.SCAN_POINTER_START;
        List<String> keys = new ArrayList<>();
        do {
            ScanResult<String> page = redis.scan(cursor, ours);
            keys.addAll(page.getResult());
            cursor = page.getCursor();
        } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
        for (int first = 0; first < keys.size(); first += KEYS_AT_A_TIME) {
            redis.unlink(keys.subList(first, Math.min(keys.size(), first + KEYS_AT_A_TIME))
                    .toArray(String[]::new));
        }
    }

    private String info(String section) {
        ownQuestions++;
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
