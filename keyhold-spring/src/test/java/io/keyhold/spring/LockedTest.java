package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener.Request;
import io.keyhold.Lease;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;

/** What each attribute of {@link Locked} does. */
@SuppressWarnings("try")
final class LockedTest {

    private final Application application = Application.start(Map.of("region", "eu", "wait", "0s"), Beans.class);
    private final Orders orders = application.get(Orders.class);

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void holdsWhileMethodRuns() {
        assertThat(orders.ship(42, () -> application.isLocked("order:42"))).isTrue();
        assertThat(application.isLocked("order:42")).isFalse();
    }

    @Test
    void releasesWhenMethodThrows() {
        assertThatThrownBy(() -> orders.ship(42, () -> {
                    throw new IllegalStateException("no stock");
                }))
                .hasMessage("no stock");
        assertThat(application.isLocked("order:42")).isFalse();
    }

    @Test
    void keyHasPlaceholdersArgumentsAndBeans() {
        assertThat(orders.keyOf("#{1+1} ${region}")).isEqualTo("eu:acme:#{1+1} ${region}");
    }

    @Test
    void severalKeysAreHeldTogether() {
        assertThat(orders.transfer(1, 2, () -> application.isLocked("account:1") && application.isLocked("account:2")))
                .isTrue();
        assertThat(lastRequest().kind()).isEqualTo(Request.Kind.ALL_OF);
        assertThat(application.isLocked("account:1") || application.isLocked("account:2"))
                .isFalse();
    }

    @Test
    void equalKeysCountOnce() {
        assertThat(orders.transfer(1, 1, () -> application.isLocked("account:1")))
                .isTrue();
    }

    @Test
    void expressionMayReturnKeys() {
        orders.batch(List.of(3, 1, 2));
        assertThat(lastRequest().keys()).containsExactlyInAnyOrder("row:1", "row:2", "row:3");
    }

    @Test
    void nullAndEmptyKeysAreRefused() {
        assertThatThrownBy(() -> orders.keyOf(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#{#id} in 'eu:#{@tenants.current()}:#{#id}' must not be null");
        assertThatThrownBy(() -> orders.batch(List.of())).hasMessageContaining("must be at least one");
        assertThat(application.requests()).isEmpty();
    }

    @Test
    void nameIsClassAndMethodUnlessSet() {
        orders.ship(42, () -> true);
        assertThat(lastRequest().name()).contains("Orders.ship");
        orders.named();
        assertThat(lastRequest().name()).contains("orders-eu");
    }

    @Test
    void sharedModeExcludesOnlyWriters() throws InterruptedException {
        try (Lease reader =
                application.other().readWriteLock("catalogue").readLock().acquire()) {
            assertThat(orders.read()).isEqualTo("read");
            assertThat(catchThrowable(orders::write)).isInstanceOf(AcquireTimeoutException.class);
        }
        assertThat(orders.write()).isEqualTo("written");
    }

    @Test
    void writerMayCallReader() {
        assertThat(orders.writeThen(orders::read)).isEqualTo("read");
    }

    @Test
    void busyThrowsAfterMaxWaitAndNamesTheHolder() throws InterruptedException {
        try (Lease held = application.other().lock("order:42").acquire()) {
            assertThatThrownBy(() -> orders.ship(42, () -> true))
                    .isInstanceOf(AcquireTimeoutException.class)
                    .hasMessageContaining("order:42");
        }
    }

    @Test
    void busySkips() throws InterruptedException {
        try (Lease held = application.other().lock("report").acquire()) {
            assertThat(orders.report()).isNull();
            assertThat(orders.optionalReport()).isEmpty();
        }
        assertThat(orders.report()).isEqualTo("report");
        assertThat(orders.optionalReport()).contains("report");
    }

    @Test
    void busyFallsBack() throws InterruptedException {
        try (Lease held = application.other().lock("price:7").acquire()) {
            assertThat(orders.price(7)).isEqualTo("cached 7");
        }
        assertThat(orders.price(7)).isEqualTo("fresh 7");
    }

    @Test
    void waitsUntilItIsFree() throws Exception {
        Lease held = application.other().lock("patient").acquire();
        CompletableFuture<String> call = CompletableFuture.supplyAsync(orders::patient);
        while (application.other().inspect().lock("patient").queue().isEmpty()) {
            Thread.onSpinWait();
        }
        held.release();
        assertThat(call.get(1, TimeUnit.MINUTES)).isEqualTo("done");
    }

    @Test
    void interruptedWaitLeavesNothingBehind() throws Exception {
        try (Lease held = application.other().lock("patient").acquire()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(orders::patient)
                    .isInstanceOf(IllegalStateException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).as("interrupted").isTrue();
            Thread.currentThread().interrupt();
            assertThatThrownBy(orders::patientAndDeclared).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void keyStaysTakenForAtLeast() {
        orders.cooldown();
        assertThat(application.isLocked("cool")).isTrue();
        assertThat(application.other().inspect().lock("cool").holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.token()).contains("(resting)"));
    }

    @Test
    void keyStaysTakenForAtLeastAsLongAsACallInsideAsks() {
        orders.around(() -> {
            orders.cooldown();
            return true;
        });
        assertThat(application.isLocked("cool")).isTrue();
    }

    @Test
    void leaseIsFixed() {
        assertThat(orders.shortLease()).isLessThanOrEqualTo(2000).isPositive();
    }

    @Test
    void conditionDecides() {
        assertThat(orders.large(50, () -> application.isLocked("large"))).isFalse();
        assertThat(orders.large(500, () -> application.isLocked("large"))).isTrue();
    }

    @Test
    void clientIsChosenByName() {
        assertThat(orders.elsewhere(() -> application.isLocked("elsewhere"))).isFalse();
        assertThat(application.requests()).isEmpty();
    }

    @Test
    void sameKeyOfAnotherClientIsAnotherLock() {
        Keyhold second = application.get("second", Keyhold.class);
        assertThat(orders.here(
                        () -> orders.elsewhere(() -> second.lock("elsewhere").isLocked())))
                .isTrue();
    }

    @Test
    void composedAnnotation() {
        assertThat(orders.composed(() -> application.isLocked("composed"))).isTrue();
    }

    @Test
    void callsInsideGoOnUnderTheSameLock() {
        assertThat(orders.ship(42, () -> orders.ship(42, () -> application.isLocked("order:42"))))
                .isTrue();
        assertThat(application.requests()).hasSize(1);
        assertThat(application.isLocked("order:42")).isFalse();
        boolean heldByOuter = orders.ship(42, () -> orders.ship(42, () -> true) && application.isLocked("order:42"));
        assertThat(heldByOuter).as("held after the inner call").isTrue();
    }

    @Test
    void currentLeaseIsTheInnermost() {
        assertThat(Leases.current()).isEmpty();
        boolean innermost = orders.ship(
                1,
                () -> orders.ship(2, () -> keyOfCurrent().equals("order:2"))
                        && keyOfCurrent().equals("order:1"));
        assertThat(innermost).isTrue();
        assertThat(Leases.current()).isEmpty();
    }

    private static String keyOfCurrent() {
        return Leases.current().orElseThrow().key();
    }

    @Test
    void requireFindsSelfInvocation() {
        assertThat(orders.shipAndRequire(42)).isPositive();
        assertThatThrownBy(() -> orders.callOnThis(42))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no lock on 'order:42'")
                .hasMessageContaining("through its bean");
    }

    @Test
    void requireFindsAnotherKey() {
        assertThatThrownBy(() -> orders.ship(1, () -> Leases.require("order:2").isHeld()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no lock on 'order:2'")
                .hasMessageContaining("held are [order:1]");
    }

    private Request lastRequest() {
        return application.requests().get(application.requests().size() - 1);
    }

    /** A lock of its own name. */
    @Retention(RetentionPolicy.RUNTIME)
    @Locked(key = "composed")
    @interface ComposedLock {
        /** Passed on. */
        @AliasFor(annotation = Locked.class, attribute = "maxWait")
        String wait_() default "0s";
    }

    /** A bean that keys use. */
    public static class Tenants {
        /** The tenant. */
        public String current() {
            return "acme";
        }
    }

    /** The beans of the test. */
    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        static Orders orders() {
            return new Orders();
        }

        @Bean
        static Tenants tenants() {
            return new Tenants();
        }

        @Bean(defaultCandidate = false)
        static Keyhold second() {
            return Keyhold.inMemory();
        }
    }

    /** Methods under locks. */
    static class Orders {

        @Locked(key = "order:#{#id}", maxWait = "${wait}")
        boolean ship(long id, Supplier<Boolean> work) {
            return work.get();
        }

        @Locked("${region}:#{@tenants.current()}:#{#id}")
        String keyOf(@Nullable String id) {
            return keyOfCurrent();
        }

        @Locked({"account:#{#from}", "account:#{#to}"})
        boolean transfer(long from, long to, Supplier<Boolean> work) {
            return work.get();
        }

        @Locked("#{#rows.!['row:' + #this]}")
        void batch(List<Integer> rows) {}

        @Locked(key = "named", name = "orders-${region}")
        void named() {}

        @Locked(key = "catalogue", mode = Locked.Mode.SHARED, maxWait = "0s")
        String read() {
            return "read";
        }

        @Locked(key = "catalogue", mode = Locked.Mode.WRITE, maxWait = "0s")
        String write() {
            return "written";
        }

        @Locked(key = "catalogue", mode = Locked.Mode.WRITE)
        String writeThen(Supplier<String> work) {
            return work.get();
        }

        @Locked(key = "report", onBusy = OnBusy.SKIP)
        @Nullable
        String report() {
            return "report";
        }

        @Locked(key = "report", onBusy = OnBusy.SKIP)
        Optional<String> optionalReport() {
            return Optional.of("report");
        }

        @Locked(key = "price:#{#item}", onBusy = OnBusy.FALLBACK, fallback = "cached")
        String price(int item) {
            return "fresh " + item;
        }

        @SuppressWarnings("UnusedMethod") // by its name
        private String cached(int item) {
            return "cached " + item;
        }

        @Locked("patient")
        String patient() {
            return "done";
        }

        @Locked("patient")
        String patientAndDeclared() throws InterruptedException {
            return "done";
        }

        @Locked(key = "cool", atLeast = "1h")
        void cooldown() {}

        @Locked("cool")
        boolean around(Supplier<Boolean> body) {
            return body.get();
        }

        @Locked(key = "short", lease = "2s")
        long shortLease() {
            return Leases.current().orElseThrow().remaining().toMillis();
        }

        @Locked(key = "large", condition = "#{#total > 100}")
        boolean large(long total, Supplier<Boolean> work) {
            return work.get();
        }

        @Locked(key = "elsewhere", client = "second")
        boolean elsewhere(Supplier<Boolean> work) {
            return work.get();
        }

        @Locked("elsewhere")
        boolean here(Supplier<Boolean> work) {
            return work.get();
        }

        @ComposedLock
        boolean composed(Supplier<Boolean> work) {
            return work.get();
        }

        @Locked("order:#{#id}")
        long shipAndRequire(long id) {
            return Leases.require("order:" + id).fencingToken();
        }

        long callOnThis(long id) {
            return shipAndRequire(id);
        }
    }
}
