package io.keyhold.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener.Ended;
import io.keyhold.KeyholdListener.NotGranted;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The observations of one client. */
final class KeyholdObservationsTest {

    private static final LockOptions ORDERS =
            LockOptions.builder().name("orders").build();

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final Reported events = new Reported(new KeyholdObservations(registry));

    @ParameterizedTest
    @EnumSource
    void requestAndHoldCarryKeyAndFencingToken(Place place) throws Exception {
        try (Place.Open open = place.open();
                Keyhold keyhold = open.builder().listener(events).build()) {
            Observation parent = Observation.start("charge", registry);
            Lease lease;
            try (Observation.Scope scope = parent.openScope()) {
                lease = keyhold.lock("order:1", ORDERS).acquire();
                scope.getCurrentObservation();
            }
            lease.release();
            events.await(Ended.class);
            parent.stop();

            String fencingToken = Long.toString(lease.fencingToken());
            assertThat(registry)
                    .hasObservationWithNameEqualTo("keyhold.observed.acquire")
                    .that()
                    .hasContextualNameEqualTo("acquire orders")
                    .hasParentObservationEqualTo(parent)
                    .hasLowCardinalityKeyValue("keyhold.name", "orders")
                    .hasLowCardinalityKeyValue("keyhold.kind", "lock")
                    .hasLowCardinalityKeyValue("keyhold.outcome", "granted")
                    .hasLowCardinalityKeyValue("keyhold.path", "free")
                    .hasHighCardinalityKeyValue("keyhold.key", "order:1")
                    .hasHighCardinalityKeyValue("keyhold.fencing_token", fencingToken)
                    .hasHighCardinalityKeyValue("keyhold.attempts", "1")
                    .doesNotHaveError()
                    .hasBeenStarted()
                    .hasBeenStopped();
            assertThat(registry)
                    .hasObservationWithNameEqualTo("keyhold.observed.hold")
                    .that()
                    .hasContextualNameEqualTo("hold orders")
                    .hasParentObservationEqualTo(parent)
                    .hasLowCardinalityKeyValue("keyhold.end", "released")
                    .hasHighCardinalityKeyValue("keyhold.key", "order:1")
                    .hasHighCardinalityKeyValue("keyhold.fencing_token", fencingToken)
                    .doesNotHaveError()
                    .hasBeenStarted()
                    .hasBeenStopped();
        }
    }

    @ParameterizedTest
    @EnumSource
    void lossIsErrorOfHold(Place place) throws Exception {
        try (Place.Open open = place.open();
                Keyhold keyhold = open.builder().listener(events).build()) {
            Lease lease = keyhold.lock("order:1", ORDERS).acquire();
            keyhold.inspect().forceRelease("order:1");
            lease.release();
            events.await(Ended.class);
            assertThat(registry)
                    .hasObservationWithNameEqualTo("keyhold.observed.hold")
                    .that()
                    .hasLowCardinalityKeyValue("keyhold.end", "lost")
                    .thenError()
                    .isInstanceOf(LeaseLostException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void busyRequestHasNoHold(Place place) throws Exception {
        try (Place.Open open = place.open();
                Keyhold other = open.builder().build();
                Keyhold keyhold = open.builder().listener(events).build()) {
            Lease held = other.lock("order:1").acquire();
            assertThat(keyhold.lock("order:1", ORDERS).tryAcquire()).isEmpty();
            events.await(NotGranted.class);
            held.release();
            assertThat(registry)
                    .doesNotHaveAnyRemainingCurrentObservation()
                    .hasNumberOfObservationsWithNameEqualTo("keyhold.observed.hold", 0)
                    .hasObservationWithNameEqualTo("keyhold.observed.acquire")
                    .that()
                    .hasLowCardinalityKeyValue("keyhold.outcome", "busy")
                    .hasLowCardinalityKeyValue("keyhold.path", "none")
                    .doesNotHaveHighCardinalityKeyValueWithKey("keyhold.fencing_token")
                    .hasBeenStopped();
        }
    }

    @Test
    void conventionChangesNames() throws Exception {
        AcquireObservationConvention own = new AcquireObservationConvention() {
            @Override
            public String getName() {
                return "billing.lock";
            }
        };
        Reported renamed = new Reported(new KeyholdObservations(registry, own, HoldObservationConvention.DEFAULT));
        try (Keyhold keyhold = Keyhold.builder().inMemory().listener(renamed).build()) {
            keyhold.lock("order:1").acquire().release();
            renamed.await(Ended.class);
            assertThat(registry)
                    .hasNumberOfObservationsWithNameEqualTo("billing.lock", 1)
                    .hasNumberOfObservationsWithNameEqualTo("keyhold.observed.hold", 1);
        }
    }
}
