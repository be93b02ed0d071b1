package io.keyhold.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of {@link ArchitectureTest} that are written here do see what they forbid. */
@Tag("full")
final class RulesSeeTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                ReadsTheClock.class,
                PassesTheClock.class,
                ReadsTheWallClock.class,
                MakesAThread.class,
                MakesAPool.class,
                MakesAnExecutor.class,
                UsesTheTimerOfTheJvm.class,
                Sleeps.class
            })
    void timeAndThreads(Class<?> sample) {
        refuses(noClasses().should().accessTargetWhere(RealWorld.timeOrThread()), sample);
    }

    @ParameterizedTest
    @ValueSource(classes = {CallsADriver.class, WaitsForAFuture.class})
    void talkingToServer(Class<?> sample) {
        refuses(methods().should(RealWorld.notTalkToAServer()), sample);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ShowsAResult.class,
                ShowsAnArgument.class,
                ShowsAField.class,
                ShowsABound.class,
                ShowsASupertype.class
            })
    void hiddenTypes(Class<?> sample) {
        refuses(classes().should(Signatures.showNo(resideInAPackage("java.util.regex"))), sample);
    }

    @Test
    void hiddenTypesMayBeUsedInside() {
        classes()
                .should(Signatures.showNo(resideInAPackage("java.util.regex")))
                .check(new ClassFileImporter().importClasses(UsesItInside.class));
    }

    @Test
    void cyclesOfFour() {
        JavaClasses ring = new ClassFileImporter().importClasses(One.class, Two.class, Three.class, Four.class);
        Cycles cycles = new Cycles(ring, name -> name, (from, to) -> false);
        assertThat(cycles.largerThan(3))
                .singleElement()
                .satisfies(cycle -> assertThat(cycle).hasSize(4));
        assertThat(cycles.largerThan(4)).isEmpty();
        String four = Four.class.getName();
        assertThat(new Cycles(ring, name -> name, (from, to) -> from.equals(four)).largerThan(1))
                .isEmpty();
    }

    private static void refuses(ArchRule rule, Class<?> sample) {
        JavaClasses classes = new ClassFileImporter().importClasses(sample);
        assertThatThrownBy(() -> rule.check(classes))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(sample.getName());
    }

    record One(Two next) {}

    record Two(Three next) {}

    record Three(Four next) {}

    static final class Four {
        One[] next = {};
    }

    static final class ReadsTheClock {
        long now = System.nanoTime();
    }

    static final class PassesTheClock {
        LongSupplier clock = System::currentTimeMillis;
    }

    static final class ReadsTheWallClock {
        Instant now = Instant.now();
    }

    static final class MakesAThread {
        Thread thread = new Thread(() -> {});
    }

    static final class MakesAPool {
        Object pool = new ForkJoinPool(1);
    }

    static final class MakesAnExecutor {
        Object pool = Executors.newCachedThreadPool();
    }

    static final class UsesTheTimerOfTheJvm {
        CompletableFuture<Void> late = new CompletableFuture<Void>().orTimeout(1, TimeUnit.SECONDS);
    }

    static final class Sleeps {
        void sleep() throws InterruptedException {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    static final class CallsADriver {
        void call(RedisDriver driver) {
            driver.call(RedisCall.of("PING"), CallMode.BLOCKING);
        }
    }

    static final class WaitsForAFuture {
        void join(CompletableFuture<Void> future) {
            future.join();
        }
    }

    interface ShowsAResult {
        List<Pattern> patterns();
    }

    interface ShowsAnArgument {
        void accept(Pattern[] patterns);
    }

    static class ShowsAField {
        protected final Pattern pattern = Pattern.compile("");
    }

    interface ShowsABound {
        <T extends Iterable<Pattern>> void accept(T patterns);
    }

    interface ShowsASupertype extends Iterable<Pattern> {}

    static final class UsesItInside {
        private final Pattern pattern = Pattern.compile("");

        Pattern pattern() {
            return pattern;
        }
    }
}
