package io.keyhold.micrometer;

import static java.util.Objects.requireNonNull;

import io.keyhold.KeyholdListener;
import io.keyhold.LeaseLostException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Observes the requests and the holds of one client, for tracing.
 *
 * <pre>{@code
 * Keyhold keyhold = Keyhold.builder()
 *         .uri("redis://localhost:6379")
 *         .listener(new KeyholdObservations(observationRegistry))
 *         .build();
 * }</pre>
 *
 * <p>A request is a child of the observation that is current on the thread that asks. Its hold is a child of the same one. Both carry the key and
 * the fencing token as values of high cardinality. A lost lease and a failed request are errors of their observation.
 */
public final class KeyholdObservations implements KeyholdListener {

    private final ObservationRegistry registry;
    private final AcquireObservationConvention acquireConvention;
    private final HoldObservationConvention holdConvention;
    private final Map<Request, Started<AcquireContext>> requests = new ConcurrentHashMap<>();
    private final Map<Request, Started<HoldContext>> holds = new ConcurrentHashMap<>();

    private record Started<C extends Observation.Context>(Observation observation, C context) {}

    /**
     * Observes with Keyhold's own names and values, or with those of a global convention of the registry.
     *
     * @param registry where the handlers are
     */
    public KeyholdObservations(ObservationRegistry registry) {
        this(registry, AcquireObservationConvention.DEFAULT, HoldObservationConvention.DEFAULT);
    }

    /**
     * Observes with these names and values, or with those of a global convention of the registry.
     *
     * @param registry where the handlers are
     * @param acquireConvention of requests
     * @param holdConvention of holds
     */
    public KeyholdObservations(
            ObservationRegistry registry,
            AcquireObservationConvention acquireConvention,
            HoldObservationConvention holdConvention) {
        this.registry = requireNonNull(registry, "registry must not be null");
        this.acquireConvention = requireNonNull(acquireConvention, "acquireConvention must not be null");
        this.holdConvention = requireNonNull(holdConvention, "holdConvention must not be null");
    }

    @Override
    public void requested(Request request) {
        AcquireContext context = new AcquireContext(request);
        Observation observation = Observation.start(null, acquireConvention, () -> context, registry);
        requests.put(request, new Started<>(observation, context));
    }

    @Override
    public void granted(Granted event) {
        Started<AcquireContext> request = requests.remove(event.request());
        HoldContext context = new HoldContext(event);
        Observation hold = Observation.createNotStarted(null, holdConvention, () -> context, registry);
        if (request != null) {
            hold.parentObservation(parentOf(request));
            request.context().granted(event);
            request.observation().stop();
        }
        holds.put(event.request(), new Started<>(hold.start(), context));
    }

    private static @Nullable Observation parentOf(Started<AcquireContext> request) {
        return request.context().getParentObservation() instanceof Observation parent ? parent : null;
    }

    @Override
    public void notGranted(NotGranted event) {
        Started<AcquireContext> request = requests.remove(event.request());
        if (request != null) {
            request.context().notGranted(event);
            event.failure().ifPresent(request.observation()::error);
            request.observation().stop();
        }
    }

    @Override
    public void ended(Ended event) {
        Started<HoldContext> hold = holds.remove(event.request());
        if (hold != null) {
            hold.context().ended(event);
            event.loss().ifPresent(loss -> hold.observation().error(new LeaseLostException(loss.detail(), loss)));
            hold.observation().stop();
        }
    }
}
