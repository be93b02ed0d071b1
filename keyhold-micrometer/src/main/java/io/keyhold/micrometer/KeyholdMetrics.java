package io.keyhold.micrometer;

import static java.util.Objects.requireNonNull;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener;
import io.keyhold.LeaseLost;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of one client, in one registry.
 *
 * <pre>{@code
 * KeyholdMetrics metrics = new KeyholdMetrics(registry);
 * Keyhold keyhold = Keyhold.builder().uri("redis://localhost:6379").listener(metrics).build();
 * metrics.bindTo(keyhold);                                      // only a client of a quorum needs this
 * }</pre>
 *
 * <p>The tag {@code name} is the name of the options ({@link io.keyhold.HoldOptions#name()}), or {@code none}. No tag has a key or a token: their number
 * has no bound. The page {@code docs/micrometer.md} lists the meters.
 *
 * <p>Each client needs its own; two clients that share a registry need tags that tell them apart.
 */
public final class KeyholdMetrics implements KeyholdListener {

    private static final String NONE = "none";

    private final MeterRegistry registry;
    private final Tags tags;
    private final LeaseMargin margin;
    private final Map<Subject, Activity> activities = new ConcurrentHashMap<>();
    private final Map<Request, LongTaskTimer.Sample> holds = new ConcurrentHashMap<>();

    /** What a meter is about: all that may be a tag. */
    private record Subject(String name, String kind) {

        static Subject of(Request request) {
            return new Subject(request.name().orElse(NONE), lower(request.kind()));
        }

        Tags tags() {
            return Tags.of("name", name, "kind", kind);
        }
    }

    /**
     * Creates the meters of a client.
     *
     * @param registry the registry to put them into
     */
    public KeyholdMetrics(MeterRegistry registry) {
        this(registry, Tags.empty());
    }

    /**
     * Creates the meters of a client, with tags of their own.
     *
     * @param registry the registry to put them into
     * @param tags added to every meter, for example the name of the client
     */
    public KeyholdMetrics(MeterRegistry registry, Iterable<Tag> tags) {
        this.registry = requireNonNull(registry, "registry must not be null");
        this.tags = Tags.of(requireNonNull(tags, "tags must not be null"));
        this.margin = new LeaseMargin(registry.config().clock());
        TimeGauge.builder("keyhold.lease.margin", margin, TimeUnit.NANOSECONDS, LeaseMargin::shortestNanos)
                .description(
                        "The shortest time that was left of a lease at its renewal, in the last one to two minutes")
                .tags(this.tags)
                .register(registry);
    }

    /**
     * Adds the meters that only the client itself can tell: {@code keyhold.quorum.nodes}. Does nothing for a client without a quorum. The meter
     * asks the nodes when it is read, at most once in five seconds, and has no value after the client was closed.
     *
     * @param keyhold the client that has this listener
     */
    public void bindTo(Keyhold keyhold) {
        requireNonNull(keyhold, "keyhold must not be null");
        if (keyhold.inspect().quorum().isEmpty()) {
            return;
        }
        QuorumNodes nodes = new QuorumNodes(keyhold.inspect(), registry.config().clock());
        for (QuorumNodes.State state : QuorumNodes.State.values()) {
            Gauge.builder("keyhold.quorum.nodes", () -> nodes.count(state))
                    .description("Nodes of the quorum, by whether they can vote")
                    .tags(tags.and("state", lower(state)))
                    .register(registry);
        }
    }

    @Override
    public void requested(Request request) {
        activity(request).waiters().increment();
    }

    @Override
    public void granted(Granted event) {
        Activity activity = activity(event.request());
        activity.waiters().decrement();
        activity.leases().increment();
        holds.put(event.request(), activity.held().start());
        acquire(event.request(), "granted", lower(event.path())).record(event.waited());
    }

    @Override
    public void notGranted(NotGranted event) {
        activity(event.request()).waiters().decrement();
        acquire(event.request(), lower(event.outcome()), NONE).record(event.waited());
    }

    @Override
    public void ended(Ended event) {
        activity(event.request()).leases().decrement();
        LongTaskTimer.Sample hold = holds.remove(event.request());
        if (hold != null) {
            hold.stop();
        }
        hold(event.request(), lower(event.end())).record(event.held());
        event.loss().ifPresent(loss -> lost(event.request(), loss.reason()).increment());
    }

    @Override
    public void renewed(Renewal event) {
        String outcome = event.lost() > 0 ? "lost" : event.unknown() > 0 ? "unknown" : "renewed";
        timer("keyhold.renewal", "Calls that renew leases", Tags.of("outcome", outcome))
                .record(event.took());
        event.margin().ifPresent(margin::add);
    }

    private Timer acquire(Request request, String outcome, String path) {
        return timer(
                "keyhold.acquire",
                "Time from a request to its grant, or to its end without one",
                Subject.of(request).tags().and("outcome", outcome, "path", path));
    }

    private Timer hold(Request request, String end) {
        return timer(
                "keyhold.hold",
                "Time from a grant to its end",
                Subject.of(request).tags().and("end", end));
    }

    private Counter lost(Request request, LeaseLost.Reason reason) {
        return Counter.builder("keyhold.lost")
                .description("Leases that were lost")
                .tags(tags.and(Subject.of(request).tags()).and("reason", lower(reason)))
                .register(registry);
    }

    private Timer timer(String name, String description, Tags own) {
        return Timer.builder(name).description(description).tags(tags.and(own)).register(registry);
    }

    private Activity activity(Request request) {
        return activities.computeIfAbsent(
                Subject.of(request), subject -> Activity.register(registry, tags.and(subject.tags())));
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
