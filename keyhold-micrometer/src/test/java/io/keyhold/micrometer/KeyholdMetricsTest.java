package io.keyhold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener.Ended;
import io.keyhold.KeyholdListener.Granted;
import io.keyhold.KeyholdListener.NotGranted;
import io.keyhold.KeyholdListener.Renewal;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The meters of one client. */
final class KeyholdMetricsTest {

    private static final LockOptions ORDERS =
            LockOptions.builder().name("orders").build();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Reported events = new Reported(new KeyholdMetrics(registry, Tags.of("client", "billing")));

    @ParameterizedTest
    @EnumSource
    void grantAndReleaseAreTimed(Place place) throws Exception {
        try (Place.Open open = place.open();
                Keyhold keyhold = open.builder().listener(events).build()) {
            keyhold.lock("order:1", ORDERS).acquire().release();
            keyhold.semaphore("gpu", 2).acquire().release();
            keyhold.readWriteLock("catalog").readLock().acquire().release();
            for (int i = 0; i < 3; i++) {
                events.await(Ended.class);
            }
            assertThat(registry.get("keyhold.acquire")
                            .tags(
                                    "client", "billing", "name", "orders", "kind", "lock", "outcome", "granted", "path",
                                    "free")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("keyhold.hold")
                            .tags("name", "orders", "kind", "lock", "end", "released")
                            .timer()
                            .totalTime(TimeUnit.NANOSECONDS))
                    .isPositive();
            assertThat(registry.get("keyhold.hold")
                            .tags("name", "none", "kind", "semaphore")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("keyhold.hold")
                            .tags("name", "none", "kind", "read")
                            .timer()
                            .count())
                    .isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitersAndLeasesAreCounted(Place place) throws Exception {
        try (Place.Open open = place.open();
                Keyhold other = open.builder().build();
                Keyhold keyhold = open.builder().listener(events).build()) {
            Lease held = other.lock("order:1").acquire();
            CompletableFuture<Lease> waiting = keyhold.lock("order:1", ORDERS).acquireAsync();
            assertThat(gauge("keyhold.waiters")).isOne();
            assertThat(gauge("keyhold.leases.active")).isZero();
            while (other.inspect().lock("order:1").waiterCount()
                    == 0) { // Else the release may come before the request.
                TimeUnit.MILLISECONDS.sleep(1);
            }

            held.release();
            events.await(Granted.class);
            assertThat(gauge("keyhold.waiters")).isZero();
            assertThat(gauge("keyhold.leases.active")).isOne();
            assertThat(registry.get("keyhold.hold.active")
                            .tag("name", "orders")
                            .longTaskTimer()
                            .activeTasks())
                    .isOne();

            waiting.get(1, TimeUnit.MINUTES).release();
            events.await(Ended.class);
            assertThat(gauge("keyhold.leases.active")).isZero();
            assertThat(registry.get("keyhold.hold.active")
                            .tag("name", "orders")
                            .longTaskTimer()
                            .activeTasks())
                    .isZero();
            assertThat(registry.get("keyhold.acquire")
                            .tags("outcome", "granted")
                            .timer()
                            .getId()
                            .getTag("path"))
                    .isNotEqualTo("free");
        }
    }

    @ParameterizedTest
    @EnumSource
    void busyRequestIsNoLongerWaiting(Place place) throws Exception {
        try (Place.Open open = place.open();
                Keyhold other = open.builder().build();
                Keyhold keyhold = open.builder().listener(events).build();
                Lease held = other.lock("order:1").acquire()) {
            assertThat(keyhold.lock("order:1", ORDERS).tryAcquire()).isEmpty();
            assertThat(events.await(NotGranted.class).request().keys()).containsExactly(held.key());
            assertThat(registry.get("keyhold.acquire")
                            .tags("outcome", "busy", "path", "none")
                            .timer()
                            .count())
                    .isOne();
            assertThat(gauge("keyhold.waiters")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void lossIsCountedByReason(Place place) throws Exception {
        try (Place.Open open = place.open();
                Keyhold keyhold = open.builder().listener(events).build()) {
            Lease lease = keyhold.lock("order:1", ORDERS).acquire();
            keyhold.inspect().forceRelease("order:1");
            assertThat(lease.release()).isFalse();
            events.await(Ended.class);
            assertThat(registry.get("keyhold.lost")
                            .tags("name", "orders", "reason", "gone")
                            .counter()
                            .count())
                    .isOne();
            assertThat(registry.get("keyhold.hold").tags("end", "lost").timer().count())
                    .isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void renewalIsTimedWithItsMargin(Place place) throws Exception {
        LockOptions renewed =
                LockOptions.builder().lease(Duration.ofSeconds(18)).renew(true).build();
        LockOptions renewedLater =
                LockOptions.builder().lease(Duration.ofMinutes(5)).renew(true).build();
        try (Place.Open open = place.open();
                Keyhold keyhold = open.builder().listener(events).build()) {
            keyhold.lock("order:1", renewedLater)
                    .run(() -> assertThat(
                                    registry.get("keyhold.lease.margin").gauge().value())
                            .isNaN());
            try (Lease lease = keyhold.lock("order:1", renewed).acquire()) {
                assertThat(events.await(Renewal.class).renewed()).isOne();
                assertThat(registry.get("keyhold.renewal")
                                .tags("outcome", "renewed")
                                .timer()
                                .count())
                        .isPositive();
                assertThat(registry.get("keyhold.lease.margin").gauge().value()).isBetween(0.0, 18.0);
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noTagHasKeyOrToken(Place place) throws Exception {
        try (Place.Open open = place.open();
                Keyhold keyhold = open.builder().listener(events).build()) {
            Lease lease = keyhold.lock("order:1").acquire();
            String token = lease.token();
            lease.release();
            events.await(Ended.class);
            assertThat(registry.getMeters().stream().map(Meter::getId).flatMap(id -> id.getTags().stream()))
                    .isNotEmpty()
                    .extracting(Tag::getValue)
                    .doesNotContain("order:1", token, Long.toString(lease.fencingToken()));
        }
    }

    private double gauge(String name) {
        return registry.get(name).tags("name", "orders", "kind", "lock").gauge().value();
    }
}
