package io.keyhold.internal.store.redis;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.Formats;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
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
 *
 * <p>A primary of a cluster has a marker for each slot ({@link DurableMarkers}), and each slot has a quarantine of its own. The client that begins
 * one begins those of all other slots of the primary, in the background, and ends them: otherwise a slot that is used rarely would make its
 * first request wait long after the failover.
 */
final class Quarantine {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    /** How many markers travel together. The server executes them in one go, and other clients wait for that. */
    private static final int AT_ONCE = 128;

    /** Ends of quarantines that are closer together than this are one. */
    private static final long SLACK_MILLIS = 100;

    private final Function<List<ScriptCall>, CompletionStage<List<DurableGrants.Acknowledged>>> run;
    private final DurableMarkers markers;
    private final String address;
    private final String clientId;
    private final KeyholdClock clock;
    private final Scheduler scheduler;
    private final int replicas;
    private final long longestMillis;
    private final boolean admitsFresh;

    /** The markers with which this server has granted to this client: where such a one is missing, data were lost, and nothing is new. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    private final Map<String, CompletableFuture<Status>> inFlight = new HashMap<>();
    private final Map<String, Confirmed> confirmed = new HashMap<>();
    private long startedNanos;
    private int names;
    private boolean warned;
    /** Whether the log says that the server grants; false while it says that it does not. */
    private boolean ended = true;

    private boolean sweeping;
    /** Whether this client has visited all markers. */
    private boolean swept;

    private Scheduler.@Nullable Timer timer;

    /**
     * The status of a server.
     *
     * @param mayGrant whether the quarantine is over
     * @param replicas how many replicas have acknowledged the quarantine
     * @param remainingMillis how long it lasts, if they are enough
     */
    record Status(boolean mayGrant, long replicas, long remainingMillis) {}

    /**
     * A quarantine that enough replicas have acknowledged.
     *
     * @param name its name
     * @param millis how long it lasts
     * @param nanos since when, by the client's clock
     */
    private record Confirmed(String name, long millis, long nanos) {}

    /**
     * A call for one marker.
     *
     * @param ending the name of the quarantine that it may end; empty if none
     */
    private record Step(String marker, ScriptCall call, String ending) {}

    /** Why a client visits all markers. */
    private enum Concern {
        /** It does not. */
        NONE,
        /** It has begun a quarantine, which enough replicas have acknowledged, or admitted a new server. */
        BEGUN,
        /** It has ended what another client began and could have ended sooner: that client may be gone. */
        LEFT
    }

    Quarantine(
            Function<List<ScriptCall>, CompletionStage<List<DurableGrants.Acknowledged>>> run,
            DurableMarkers markers,
            String address,
            String clientId,
            DurableSetup setup) {
        this.run = run;
        this.markers = markers;
        this.address = address;
        this.clientId = clientId;
        this.clock = setup.clock();
        this.scheduler = setup.scheduler();
        this.replicas = setup.durability().replicas();
        this.longestMillis = setup.durability().longestLease().toMillis();
        this.admitsFresh = setup.durability().admitFreshNodes();
    }

    /** Notes that a request has met no quarantine: the server grants what this marker is for. */
    void notMet(String marker) {
        if (!known.contains(marker)) {
            known.add(marker);
        }
    }

    /** Goes on with a quarantine that a request has met, with what it found in the marker. Returns where it stands. */
    CompletionStage<Status> met(String marker, String found) {
        synchronized (this) {
            Confirmed waiting = confirmed.get(marker);
            if (!inFlight.containsKey(marker) && waiting != null && found.contains(" " + waiting.name() + " ")) {
                long left = waiting.millis() - elapsedMillis(waiting);
                if (left > 0) {
                    return CompletableFuture.completedStage(new Status(false, replicas, left));
                }
            }
        }
        return advance(marker);
    }

    /** Takes the next step for one marker, of which one is in flight at a time. */
    private CompletableFuture<Status> advance(String marker) {
        CompletableFuture<Status> next = new CompletableFuture<>();
        synchronized (this) {
            CompletableFuture<Status> current = inFlight.putIfAbsent(marker, next);
            if (current != null) {
                return current;
            }
        }
        CompletionStage<Status> status = steps(List.of(marker)).thenApply(all -> all.get(0));
        status.whenComplete((reply, failure) -> {
            synchronized (this) {
                inFlight.remove(marker);
            }
            Stages.forward(status, next);
        });
        return next;
    }

    /** Takes the next step for some markers, and goes on with the others if this client is the one to do it. */
    private CompletionStage<List<Status>> steps(List<String> some) {
        List<Step> steps = some.stream().map(this::step).toList();
        return Stages.flat(() -> run.apply(steps.stream().map(Step::call).toList()))
                .thenApply(done -> {
                    List<Status> statuses = new ArrayList<>(done.size());
                    Concern concern = Concern.NONE;
                    for (int i = 0; i < done.size(); i++) {
                        Concern its = concern(steps.get(i), done.get(i));
                        concern = its.compareTo(concern) > 0 ? its : concern;
                        statuses.add(noted(steps.get(i).marker(), done.get(i)));
                    }
                    if (concern != Concern.NONE) {
                        sweep(concern);
                    }
                    return statuses;
                });
    }

    private synchronized Step step(String marker) {
        long now = clock.monotonicNanos();
        startedNanos = names == 0 ? now : startedNanos;
        boolean admits = admitsFresh
                && !swept
                && !known.contains(marker)
                && now - startedNanos < TimeUnit.MILLISECONDS.toNanos(longestMillis);
        Confirmed waiting = confirmed.get(marker);
        String ending = waiting == null ? "" : waiting.name();
        ScriptCall call = new ScriptCall(Script.ARM)
                .key("marker", marker)
                .argument("longest", longestMillis)
                .argument("name", clientId + "." + ++names)
                .argument("confirmed", ending)
                .argument("elapsed", waiting == null ? 0 : elapsedMillis(waiting))
                .argument("admits", admits ? 1 : 0);
        return new Step(marker, call, ending);
    }

    /** Returns whether this client has to look after the other markers, too. Before the reply is noted. */
    private synchronized Concern concern(Step step, DurableGrants.Acknowledged done) {
        List<?> reply = Replies.list(done.reply());
        if (Replies.number(reply.get(0)) == 1) {
            if (!isEnded(reply) || isOwn(step.ending())) {
                return Concern.NONE;
            }
            return step.ending().isEmpty() ? Concern.BEGUN : Concern.LEFT;
        }
        String name = Replies.text(reply.get(2));
        return isOwn(name) && !name.equals(step.ending()) && done.replicas() >= replicas ? Concern.BEGUN : Concern.NONE;
    }

    private static boolean isEnded(List<?> reply) {
        return Replies.number(reply.get(0)) == 1 && Replies.number(reply.get(2)) == 1;
    }

    private boolean isOwn(String name) {
        return name.startsWith(clientId + ".");
    }

    private synchronized Status noted(String marker, DurableGrants.Acknowledged done) {
        List<?> reply = Replies.list(done.reply());
        warnOfMinority(Replies.number(reply.get(1)));
        if (Replies.number(reply.get(0)) == 1) {
            confirmed.remove(marker);
            known.add(marker);
            if (isEnded(reply) && !ended) {
                ended = true;
                LOG.log(Level.INFO, "Redis at {0} grants durable locks", address);
            }
            return new Status(true, replicas, 0);
        }
        String name = Replies.text(reply.get(2));
        long millis = Replies.number(reply.get(3));
        if (done.replicas() < replicas) {
            return new Status(false, done.replicas(), millis);
        }
        Confirmed before = confirmed.get(marker);
        // The time counts from here, after the reply: when the replicas had it is not known.
        long since = before != null && before.name().equals(name) ? before.nanos() : clock.monotonicNanos();
        Confirmed now = new Confirmed(name, millis, since);
        confirmed.put(marker, now);
        long left = Math.max(0, millis - elapsedMillis(now));
        if (ended && since != (before == null ? 0 : before.nanos())) {
            ended = false;
            LOG.log(
                    Level.WARNING,
                    "Redis at {0} was promoted or restarted, or has lost its data: it grants no lock for {1}, until every earlier lease has"
                            + " ended (docs/durability.md)",
                    address,
                    Formats.duration(Duration.ofMillis(left)));
        }
        if (timer == null) {
            timer = scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(left), this::endSome);
        }
        return new Status(false, done.replicas(), left);
    }

    /** Ends the quarantines that are over, whether or not requests wait for that. What fails is repeated by the next request. */
    private void endSome() {
        List<String> over = new ArrayList<>();
        synchronized (this) {
            long next = Long.MAX_VALUE;
            for (Map.Entry<String, Confirmed> each : confirmed.entrySet()) {
                long left = each.getValue().millis() - elapsedMillis(each.getValue());
                if (left <= 0) {
                    over.add(each.getKey());
                } else {
                    next = Math.min(next, left);
                }
            }
            timer = next == Long.MAX_VALUE
                    ? null
                    : scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(Math.max(next, SLACK_MILLIS)), this::endSome);
        }
        end(over, 0);
    }

    private void end(List<String> over, int from) {
        if (from < over.size()) {
            steps(chunk(over, from)).whenComplete((ended, failure) -> end(over, from + AT_ONCE));
        }
    }

    private static List<String> chunk(List<String> all, int from) {
        return all.subList(from, Math.min(from + AT_ONCE, all.size()));
    }

    /** Visits all markers, some at a time. A single server has one, which was visited. */
    private void sweep(Concern why) {
        List<String> all = markers.all();
        synchronized (this) {
            if (sweeping || all.size() <= 1) {
                return;
            }
            sweeping = true;
        }
        sweep(all, 0, why);
    }

    /** All clients go in the same order, so that one that finds another before it can leave the rest to that one. */
    private void sweep(List<String> all, int from, Concern why) {
        List<String> visited = chunk(all, from);
        steps(visited).whenComplete((statuses, failure) -> {
            boolean goesOn = failure == null
                    && statuses.stream().allMatch(each -> each.replicas() >= replicas)
                    && (why == Concern.LEFT || !isAfterAnother(visited));
            int next = from + AT_ONCE;
            if (goesOn && next < all.size()) {
                sweep(all, next, why);
                return;
            }
            synchronized (this) {
                sweeping = false;
                swept |= goesOn;
            }
        });
    }

    private synchronized boolean isAfterAnother(List<String> visited) {
        List<Confirmed> waiting = visited.stream()
                .filter(confirmed::containsKey)
                .map(confirmed::get)
                .toList();
        return !waiting.isEmpty() && waiting.stream().noneMatch(each -> isOwn(each.name()));
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
