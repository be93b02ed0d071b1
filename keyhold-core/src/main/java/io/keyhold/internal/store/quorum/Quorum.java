package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The nodes of a quorum, and what all requests to them share. */
final class Quorum {

    private final List<NodeStore> nodes;
    private final QuorumSettings settings;
    private final QuorumRules rules;
    private final KeyholdClock clock;
    private final Poll poll;
    private final Retreat retreat;
    private final Interests interests = new Interests();
    private final Waiters waiters = new Waiters();
    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final RoundCount count = new RoundCount();
    private final AtomicReference<OptionalLong> beganNanos = new AtomicReference<>(OptionalLong.empty());
    private final AtomicLong largestSeen = new AtomicLong();
    private final AtomicReference<@Nullable String> twice = new AtomicReference<>();
    /** Nodes that have voted for this client. One that knows of no time before is not new to it any more. */
    private final Set<NodeStore> met = ConcurrentHashMap.newKeySet();

    Quorum(
            List<NodeStore> nodes,
            QuorumSettings settings,
            QuorumRules rules,
            KeyholdClock clock,
            Scheduler scheduler,
            RandomGenerator random) {
        this.random = random;
        this.nodes = List.copyOf(nodes);
        this.settings = settings;
        this.rules = rules;
        this.clock = clock;
        this.scheduler = scheduler;
        this.poll = new Poll(scheduler);
        this.retreat = new Retreat(this);
    }

    List<NodeStore> nodes() {
        return nodes;
    }

    int size() {
        return nodes.size();
    }

    QuorumSettings settings() {
        return settings;
    }

    QuorumRules rules() {
        return rules;
    }

    KeyholdClock clock() {
        return clock;
    }

    Poll poll() {
        return poll;
    }

    Retreat retreat() {
        return retreat;
    }

    Interests interests() {
        return interests;
    }

    Waiters waiters() {
        return waiters;
    }

    RandomGenerator random() {
        return random;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    RoundCount count() {
        return count;
    }

    /** A fencing token that is above all that this client has seen, and that all nodes agree on if clocks do. */
    long proposal() {
        return largestSeen.accumulateAndGet(
                TimeUnit.MILLISECONDS.toMicros(clock.wallMillis()), (seen, now) -> Math.max(seen + 1, now));
    }

    void seen(long number) {
        largestSeen.accumulateAndGet(number, Math::max);
    }

    /** How long to wait for a majority to answer: longer while connections have to be made, in a JVM that is cold. */
    Duration patienceFor(long leaseMillis) {
        return rules.isMajority(met.size(), nodes.size())
                ? settings.patienceFor(leaseMillis)
                : settings.firstPatienceFor(leaseMillis);
    }

    /**
     * Whether a node that knows of no time before is let in: if the client was told that its nodes are new, has not met this one, and
     * has not been at work for long. What is new is there when one begins; what appears later has lost its memory.
     */
    boolean mayBeNew(NodeStore node) {
        long now = clock.monotonicNanos();
        long began = beganNanos
                .updateAndGet(known -> known.isPresent() ? known : OptionalLong.of(now))
                .getAsLong();
        return settings.admitFresh()
                && !met.contains(node)
                && now - began < settings.longestLease().toNanos();
    }

    void meets(NodeStore node) {
        met.add(node);
    }

    /** An election found after its end that these are one server. The next one is refused for it. */
    void foundTwice(NodeStore first, NodeStore second) {
        twice.set(sameServer(first, second));
    }

    /** Returns what {@link #foundTwice} has told, once: a name may belong to another server by the time of the next election. */
    Optional<String> foundTwice() {
        return Optional.ofNullable(twice.getAndSet(null));
    }

    static String sameServer(NodeStore first, NodeStore second) {
        return first.address() + " and " + second.address()
                + " are the same server, which must not vote twice: name every server of a quorum once";
    }
}
