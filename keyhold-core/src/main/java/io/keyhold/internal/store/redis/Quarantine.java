package io.keyhold.internal.store.redis;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.Formats;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The quarantine of a new incarnation of a server: one that was promoted or restarted, or has lost its data. It grants nothing until every lease
 * has ended that another incarnation granted.
 *
 * <p>A marker on the server names the incarnation that may grant ({@code arm.lua}). Where it names another, or is missing, this client
 * <ol>
 *   <li>writes that the new incarnation is in quarantine, and waits until enough replicas have <em>this write</em>,
 *   <li>lets the longest lease pass by its own clock, from when it knows that they have,
 *   <li>writes that the incarnation may grant, if it is still in the same quarantine.
 * </ol>
 *
 * <p>The first step is what makes it safe: before it, the old master may still have a majority of replicas, and go on granting
 * for long after this client first saw the new one. Each client confirms for itself, because none knows when another did. So a client that
 * ends during a quarantine leaves nothing to others but its name; the first that has waited for long enough ends it for all.
 */
final class Quarantine {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Function<ScriptCall, CompletionStage<DurableGrants.Acknowledged>> run;
    private final String marker;
    private final String address;
    private final String clientId;
    private final KeyholdClock clock;
    private final Scheduler scheduler;
    private final int replicas;
    private final long longestMillis;
    private final boolean admitsFresh;

    /** Whether this server has granted to this client: then one without a marker has lost its data, and is not new. */
    private volatile boolean known;

    private long startedNanos;
    private int names;
    private boolean warned;
    private @Nullable CompletableFuture<Standing> inFlight;
    private @Nullable Confirmed confirmed;
    private Scheduler.@Nullable Timer timer;

    /**
     * Where a server stands.
     *
     * @param mayGrant whether the quarantine is over
     * @param replicas how many replicas have acknowledged the quarantine
     * @param remainingMillis how long it lasts, if they are enough
     */
    record Standing(boolean mayGrant, long replicas, long remainingMillis) {}

    /**
     * A quarantine that enough replicas have acknowledged.
     *
     * @param name its name
     * @param millis how long it lasts
     * @param nanos since when, by the client's clock
     */
    private record Confirmed(String name, long millis, long nanos) {}

    Quarantine(
            Function<ScriptCall, CompletionStage<DurableGrants.Acknowledged>> run,
            String address,
            String clientId,
            DurableSetup setup) {
        this.run = run;
        this.address = address;
        this.clientId = clientId;
        this.marker = KeyNames.MARKER;
        this.clock = setup.clock();
        this.scheduler = setup.scheduler();
        this.replicas = setup.durability().replicas();
        this.longestMillis = setup.durability().longestLease().toMillis();
        this.admitsFresh = setup.durability().admitFreshServer();
    }

    /** Notes that the server grants. */
    void isOver() {
        if (!known) {
            known = true;
        }
    }

    /** Goes on with a quarantine that a request has met, with this marker. Returns where it stands. */
    CompletionStage<Standing> met(String found) {
        synchronized (this) {
            Confirmed waiting = confirmed;
            if (inFlight == null && waiting != null && found.contains(" " + waiting.name() + " ")) {
                long left = waiting.millis() - elapsedMillis(waiting);
                if (left > 0) {
                    return CompletableFuture.completedStage(new Standing(false, replicas, left));
                }
            }
        }
        return advance();
    }

    /** Takes the next step, of which one is in flight at a time. */
    private CompletableFuture<Standing> advance() {
        CompletableFuture<Standing> next = new CompletableFuture<>();
        ScriptCall call;
        synchronized (this) {
            CompletableFuture<Standing> current = inFlight;
            if (current != null) {
                return current;
            }
            inFlight = next;
            call = step();
        }
        CompletionStage<Standing> standing = Stages.flat(() -> run.apply(call)).thenApply(this::noted);
        standing.whenComplete((reply, failure) -> {
            synchronized (this) {
                inFlight = null;
            }
            Stages.forward(standing, next);
        });
        return next;
    }

    private synchronized ScriptCall step() {
        long now = clock.monotonicNanos();
        startedNanos = names == 0 ? now : startedNanos;
        boolean admits = admitsFresh && !known && now - startedNanos < TimeUnit.MILLISECONDS.toNanos(longestMillis);
        Confirmed waiting = confirmed;
        return new ScriptCall(Script.ARM)
                .key("marker", marker)
                .argument("longest", longestMillis)
                .argument("name", clientId + "." + ++names)
                .argument("confirmed", waiting == null ? "" : waiting.name())
                .argument("elapsed", waiting == null ? 0 : elapsedMillis(waiting))
                .argument("admits", admits ? 1 : 0);
    }

    private synchronized Standing noted(DurableGrants.Acknowledged done) {
        List<?> reply = Replies.list(done.reply());
        warnOfMinority(Replies.number(reply.get(1)));
        if (Replies.number(reply.get(0)) == 1) {
            LOG.log(Level.INFO, "Redis at {0} grants durable locks", address);
            confirmed = null;
            known = true;
            return new Standing(true, replicas, 0);
        }
        String name = Replies.text(reply.get(2));
        long millis = Replies.number(reply.get(3));
        if (done.replicas() < replicas) {
            return new Standing(false, done.replicas(), millis);
        }
        Confirmed before = confirmed;
        // The time counts from here, after the reply: when the replicas had it is not known.
        long since = before != null && before.name().equals(name) ? before.nanos() : clock.monotonicNanos();
        Confirmed now = new Confirmed(name, millis, since);
        boolean isNews = before == null || before.nanos() != since;
        confirmed = now;
        long left = Math.max(0, millis - elapsedMillis(now));
        if (isNews) {
            LOG.log(
                    Level.WARNING,
                    "Redis at {0} was promoted or restarted, or has lost its data: it grants no lock for {1}, until every earlier lease has"
                            + " ended (docs/durability.md)",
                    address,
                    Formats.duration(Duration.ofMillis(left)));
        }
        awaitEnd(left);
        return new Standing(false, done.replicas(), left);
    }

    /** Ends the quarantine when it is over, whether or not requests wait for that. What fails is repeated by the next request. */
    private synchronized void awaitEnd(long millis) {
        if (timer != null) {
            timer.cancel();
        }
        timer = scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(millis), this::advance);
    }

    private long elapsedMillis(Confirmed since) {
        return TimeUnit.NANOSECONDS.toMillis(clock.monotonicNanos() - since.nanos());
    }

    private void warnOfMinority(long connected) {
        if (connected > 2L * replicas && !warned) {
            warned = true;
            LOG.log(
                    Level.WARNING,
                    "Redis at {0} has {1} replicas, of which {2} must acknowledge a grant: with the master, that is no majority, and a"
                            + " failover may lose grants; use Durability.replicas({3})",
                    address,
                    connected,
                    replicas,
                    (connected + 1) / 2);
        }
    }
}
