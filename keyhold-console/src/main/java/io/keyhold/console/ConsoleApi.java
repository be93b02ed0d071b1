package io.keyhold.console;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.console.internal.Printable;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The console without its server: takes requests, returns responses, and sends ticks to connected pages. It asks Redis only while a page is
 * connected, and for a quarter of a minute afterwards. Safe for use by many threads.
 *
 * <p>It does not authenticate requests: the server that it is mounted in must. {@link ConsoleServer} does so with a one-time URL and a cookie.
 *
 * <pre>{@code
 * try (Keyhold keyhold = Keyhold.connect("redis://localhost:6379");
 *         ConsoleApi api = new ConsoleApi(keyhold, ConsoleOptions.builder().build())) {
 *     ConsoleResponse locks = api.handle(ConsoleRequest.get("api/locks", Map.of("sort", "age")));
 * }
 * }</pre>
 */
public final class ConsoleApi implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.keyhold.console");
    private static final Duration FIRST_SAMPLE = Duration.ofSeconds(3);
    private static final int MOST_MINUTES = 60;

    private final LockInspector inspector;
    private final ConsoleOptions options;
    private final History history = new History();
    private final Sampler sampler;
    private final DoctorRuns doctor;
    private final Releases releases;
    private final Ticks ticks;

    /** Shows the locks of this client, which is not closed with the console. */
    public ConsoleApi(Keyhold keyhold, ConsoleOptions options) {
        this.inspector = keyhold.inspect();
        this.options = options;
        Optional<EventReader> events =
                options.events.map(driver -> new EventReader(driver, options.eventKey, System.currentTimeMillis()));
        this.sampler = new Sampler(inspector, history, events, options.interval);
        this.doctor = new DoctorRuns(options.doctor, options.topology);
        this.releases = new Releases(inspector, history, options);
        this.ticks = new Ticks(sampler, doctor::dangers, doctor::outdate);
    }

    /** Returns the response to a request. Never throws: what fails is a response with an error. */
    public ConsoleResponse handle(ConsoleRequest request) {
        try {
            boolean release = request.path().equals("api/release");
            if (!request.method().equals(release ? "POST" : "GET")) {
                return ConsoleResponse.error(405, "the method " + request.method() + " is not allowed here");
            }
            return request.path().startsWith("api/")
                    ? ConsoleResponse.json(200, respond(request))
                    : ConsolePage.response(request.path());
        } catch (ConsoleFailure e) {
            return ConsoleResponse.error(e.status(), String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            return ConsoleResponse.error(400, String.valueOf(e.getMessage()));
        } catch (KeyholdException e) {
            return ConsoleResponse.error(503, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ConsoleResponse.error(503, "the console is closing");
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "request for " + Printable.text(request.path()) + " failed", e);
            return ConsoleResponse.error(500, "the console failed; its log says more");
        }
    }

    private Map<String, @Nullable Object> respond(ConsoleRequest request) throws InterruptedException {
        long now = System.currentTimeMillis();
        return switch (request.path()) {
            case "api/info" -> info();
            case "api/locks" ->
                LockRows.of(sampler.current(FIRST_SAMPLE), history, System.currentTimeMillis(), request);
            case "api/lock" -> lock(request.parameter("key"));
            case "api/contention" -> {
                sampler.current(FIRST_SAMPLE);
                yield history.contention(now, request.number("minutes", 10, 1, MOST_MINUTES));
            }
            case "api/doctor" -> {
                doctor.refresh();
                yield doctor.json(now);
            }
            case "api/release" -> {
                Map<String, @Nullable Object> outcome = releases.release(request);
                sampler.hurry();
                yield outcome;
            }
            default -> throw new ConsoleFailure(404, "there is no " + request.path());
        };
    }

    private Map<String, @Nullable Object> info() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        String version = ConsoleApi.class.getPackage().getImplementationVersion();
        object.put("version", version != null ? version : "unknown");
        object.put("target", options.target);
        object.put("topology", options.topology);
        object.put("embedded", options.embedded);
        object.put("notice", options.notice);
        object.put("allowRelease", options.allowRelease);
        object.put("history", history.hasReports() ? "events" : "sampling");
        object.put("sampleMillis", options.interval.toMillis());
        return object;
    }

    private Map<String, @Nullable Object> lock(String key) {
        sampler.want();
        LockSnapshot lock = inspector.lock(key);
        Optional<QuorumSnapshot> quorum = lock.nodes().isEmpty() ? Optional.empty() : inspector.quorum();
        long now = System.currentTimeMillis();
        LockObjects objects = new LockObjects(history, now);
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("at", now);
        object.put("lock", lock.isHeld() || lock.waiterCount() > 0 ? objects.lock(lock) : null);
        object.put("holders", objects.holders(lock));
        object.put("queue", objects.queue(lock));
        object.put("nodes", LockObjects.nodes(lock, quorum));
        object.put("timeline", history.timeline(key, now));
        return object;
    }

    /**
     * Connects a page to the ticks. They are text in the form of server-sent events, to be sent as they are, and come on a thread that all pages
     * share.
     *
     * @param page gets the text; must neither block nor throw
     * @return the connection; empty if too many pages are connected
     */
    public Optional<ConsoleSubscription> subscribe(Consumer<String> page) {
        return ticks.subscribe(page);
    }

    /** Says goodbye to connected pages, and stops asking. */
    @Override
    public void close() {
        ticks.close();
        sampler.close();
    }

    History history() {
        return history;
    }

    int pages() {
        return ticks.pages();
    }

    long samples() {
        return sampler.last().number();
    }
}
