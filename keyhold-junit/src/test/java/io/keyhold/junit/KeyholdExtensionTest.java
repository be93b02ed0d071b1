package io.keyhold.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** What the extension injects, and when it is closed. */
@KeyholdTest
final class KeyholdExtensionTest {

    private static final LockOptions FIXED =
            LockOptions.builder().lease(Duration.ofSeconds(30)).build();

    @InjectKeyhold
    private @Nullable Keyhold field;

    @BeforeEach
    void hold(Keyhold otherProcess) {
        assertThat(otherProcess.lock("held").tryAcquire()).isPresent();
    }

    @Test
    void clientsOfTestShareLocks(Keyhold one, Keyhold two) {
        assertThat(one).isNotSameAs(two);
        assertThat(one.lock("invoice:42").tryAcquire()).isPresent();
        assertThat(two.lock("invoice:42").tryAcquire()).isEmpty();
        assertThat(two.lock("held").tryAcquire()).isEmpty();
        assertThat(field)
                .isNotNull()
                .extracting(client -> client.lock("held").isLocked())
                .isEqualTo(true);
    }

    @Test
    void clientsOfOtherTestsDoNot(Keyhold one) {
        assertThat(one.lock("invoice:42").tryAcquire()).isPresent();
    }

    @Test
    void clockEndsLease(Keyhold one, Keyhold two, TestClock clock) {
        Lease lease = one.lock("invoice:42", FIXED).tryAcquire().orElseThrow();
        clock.advance(Duration.ofSeconds(29));
        assertThat(two.lock("invoice:42").tryAcquire()).isEmpty();
        clock.advance(Duration.ofSeconds(2));
        assertThat(lease.isHeld()).isFalse();
        assertThat(two.lock("invoice:42").tryAcquire()).isPresent();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void builderMakesClientInSamePlace(KeyholdBuilder builder, Keyhold keyhold) {
        try (Keyhold prefixed = builder.keyPrefix("in").build()) {
            assertThat(prefixed.lock("voice:42").tryAcquire()).isPresent();
            assertThat(keyhold.lock("invoice:42").isLocked()).isTrue();
        }
    }

    @Test
    void clockRefusesNegativeDuration(TestClock clock) {
        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("duration must not be negative, was PT-1S");
    }

    /** Fields of the outer test are set too. */
    @Nested
    final class Inner {

        @InjectKeyhold
        private @Nullable Keyhold own;

        @Test
        void hasPlaceOfOuterTest() {
            assertThat(field).isNotNull();
            assertThat(own).isNotNull().isNotSameAs(field);
        }
    }

    /** The same on a server. */
    @Nested
    @KeyholdTest(LockPlace.REDIS)
    final class OnRedis {

        @Test
        void clientsShareLocksOnServer(Keyhold one, Keyhold two) {
            Lease lease = one.lock("invoice:42").tryAcquire().orElseThrow();
            assertThat(lease.isHeldOnServer()).isTrue();
            assertThat(two.lock("invoice:42").tryAcquire()).isEmpty();
            assertThat(one.inspect().list("*")).extracting("key").containsExactly("held", "invoice:42");
        }

        @Test
        void clockMovesOnlyClients(Keyhold one, Keyhold two, TestClock clock) {
            Lease lease = one.lock("invoice:42", FIXED).tryAcquire().orElseThrow();
            clock.advance(Duration.ofSeconds(31));
            assertThat(lease.isHeld()).isFalse();
            assertThat(two.lock("invoice:42").tryAcquire()).isEmpty();
        }

        @Test
        @KeyholdTest(LockPlace.MEMORY)
        void methodTakesPrecedence(Keyhold one, Keyhold two, TestClock clock) {
            Lease lease = one.lock("invoice:42", FIXED).tryAcquire().orElseThrow();
            clock.advance(Duration.ofSeconds(31));
            assertThat(two.lock("invoice:42").tryAcquire()).isPresent();
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Test
    void clientsAreClosedAfterTest() {
        Leaves.CLIENTS.clear();
        run(Leaves.class).assertStatistics(statistics -> statistics.succeeded(2));
        assertThat(Leaves.CLIENTS)
                .hasSize(2)
                .allSatisfy(client -> assertThatThrownBy(
                                () -> client.lock("invoice:42").tryAcquire())
                        .isInstanceOf(KeyholdClosedException.class));
    }

    @Test
    void misuseIsExplained() {
        run(StaticField.class)
                .assertThatEvents()
                .haveExactly(
                        1,
                        finishedWithFailure(message(text -> text.startsWith(
                                "a field with @InjectKeyhold must be neither static nor final, was "))));
        run(WrongField.class)
                .assertThatEvents()
                .haveExactly(
                        1,
                        finishedWithFailure(
                                message(
                                        text -> text.startsWith(
                                                "a field with @InjectKeyhold must be a Keyhold, a KeyholdBuilder or a TestClock, was "))));
        Events all = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(BeforeAllParameter.class))
                .execute()
                .allEvents();
        all.assertThatEvents()
                .haveExactly(1, finishedWithFailure(message(text -> text.contains("a client lives for one test"))));
    }

    private static Events run(Class<?> test) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(test))
                .execute()
                .testEvents();
    }

    /** Not found by the build, as its name is not that of a test. */
    @KeyholdTest
    @Execution(ExecutionMode.SAME_THREAD)
    static final class Leaves {

        static final List<Keyhold> CLIENTS = new ArrayList<>();

        @Test
        void one(Keyhold keyhold) {
            CLIENTS.add(keyhold);
            assertThat(keyhold.lock("invoice:42").tryAcquire()).isPresent();
        }

        @Test
        void two(Keyhold keyhold) {
            CLIENTS.add(keyhold);
            assertThat(keyhold.lock("invoice:42").tryAcquire()).isPresent();
        }
    }

    @KeyholdTest
    static final class StaticField {

        @InjectKeyhold
        static @Nullable Keyhold keyhold;

        @Test
        void test() {}
    }

    @KeyholdTest
    static final class WrongField {

        @InjectKeyhold
        @Nullable
        String keyhold;

        @Test
        void test() {}
    }

    @KeyholdTest
    static final class BeforeAllParameter {

        @BeforeAll
        static void once(Keyhold keyhold) {}

        @Test
        void test() {}
    }
}
