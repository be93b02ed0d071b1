package io.keyhold.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.keyhold.tests.modules.KeyholdModule;
import org.junit.jupiter.api.Test;

/** The allowed dependencies. Each step from call to wire knows only the steps below it. */
final class ArchitectureTest {

    private static final DescribedPredicate<JavaClass> PLATFORM =
            resideInAnyPackage("java..", "javax.net..", "org.jspecify.annotations..");

    private static final String INTERNAL = "io.keyhold.internal..";
    private static final String ENGINE = "io.keyhold.internal.engine..";
    private static final String LOCK = "io.keyhold.internal.lock..";
    private static final String STORE = "io.keyhold.internal.store..";
    private static final String[] STORES = {
        "io.keyhold.internal.store.redis..",
        "io.keyhold.internal.store.memory..",
        "io.keyhold.internal.store.quorum..",
        "io.keyhold.internal.store.cluster.."
    };

    @Test
    void coreKnowsOnlyPlatformAndItself() {
        classes()
                .should()
                .onlyDependOnClassesThat(PLATFORM.or(MainCode.in(KeyholdModule.CORE)))
                .check(MainCode.of(KeyholdModule.CORE));
    }

    @Test
    void jedisDriverKnowsOnlySpiAndJedis() {
        classes()
                .should()
                .onlyDependOnClassesThat(PLATFORM.or(resideInAnyPackage(
                        "io.keyhold.spi", "io.keyhold.jedis", "redis.clients.jedis..", "org.apache.commons.pool2..")))
                .check(MainCode.of(KeyholdModule.JEDIS));
    }

    @Test
    void lettuceDriverKnowsOnlySpiAndLettuce() {
        classes()
                .should()
                .onlyDependOnClassesThat(PLATFORM.or(resideInAnyPackage(
                        "io.keyhold.spi",
                        "io.keyhold.lettuce",
                        "io.lettuce.core..",
                        "io.netty..",
                        "reactor.core.publisher")))
                .check(MainCode.of(KeyholdModule.LETTUCE));
    }

    @Test
    void embeddedServerKnowsNothingOfKeyhold() {
        classes()
                .should()
                .onlyDependOnClassesThat(PLATFORM.or(resideInAPackage("io.keyhold.embedded..")))
                .check(MainCode.of(KeyholdModule.EMBEDDED));
    }

    @Test
    void testkitKnowsNoDriver() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("redis.clients..", "io.lettuce..", "io.keyhold.jedis..", "io.keyhold.lettuce..")
                .check(MainCode.of(KeyholdModule.TESTKIT));
    }

    @Test
    void springKnowsOnlyApiAndSpring() {
        classes()
                .should()
                .onlyDependOnClassesThat(PLATFORM.or(resideInAnyPackage(
                        "io.keyhold",
                        "io.keyhold.spring",
                        "org.springframework..",
                        "org.aopalliance..",
                        "org.reactivestreams",
                        "reactor..")))
                .check(MainCode.of(KeyholdModule.SPRING));
    }

    @Test
    void springIntegrationKnowsOnlyApiAndSpring() {
        classes()
                .should()
                .onlyDependOnClassesThat(PLATFORM.or(
                        resideInAnyPackage("io.keyhold", "io.keyhold.spring.integration", "org.springframework..")))
                .check(MainCode.of(KeyholdModule.SPRING_INTEGRATION));
    }

    @Test
    void nothingKnowsSpringBootButItsModule() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.boot..", "io.keyhold.spring.boot..")
                .check(MainCode.allBut(KeyholdModule.SPRING_BOOT));
    }

    @Test
    void integrationsKnowNoDriver() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "redis.clients..",
                        "io.lettuce..",
                        "io.keyhold.jedis..",
                        "io.keyhold.lettuce..",
                        "io.keyhold.spi..")
                .check(MainCode.all()
                        .that(MainCode.in(KeyholdModule.MICROMETER)
                                .or(MainCode.in(KeyholdModule.JUNIT))
                                .or(MainCode.in(KeyholdModule.SHEDLOCK))
                                .or(MainCode.in(KeyholdModule.REACTOR))
                                .or(MainCode.in(KeyholdModule.KOTLIN))));
    }

    @Test
    void doctorAndConsoleKnowNoParticularDriver() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("redis.clients..", "io.lettuce..", "io.keyhold.jedis..", "io.keyhold.lettuce..")
                .check(MainCode.all().that(MainCode.in(KeyholdModule.DOCTOR).or(MainCode.in(KeyholdModule.CONSOLE))));
    }

    @Test
    void onlyTheConsolesServerKnowsHttp() {
        noClasses()
                .that()
                .haveSimpleNameNotStartingWith("ConsoleServer")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.sun.net.httpserver..")
                .because("a framework mounts the console in its own server")
                .check(MainCode.of(KeyholdModule.CONSOLE));
    }

    @Test
    void onlyCoreUsesItsInternals() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage(INTERNAL)
                .check(MainCode.allBut(KeyholdModule.CORE));
    }

    @Test
    void spiKnowsNothingElseOfKeyhold() {
        classes()
                .that()
                .resideInAPackage("io.keyhold.spi..")
                .should()
                .onlyDependOnClassesThat(PLATFORM.or(resideInAPackage("io.keyhold.spi..")))
                .check(MainCode.of(KeyholdModule.CORE));
    }

    @Test
    void storesKnowNothingAboveThem() {
        noClasses()
                .that()
                .resideInAPackage(STORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ENGINE, LOCK)
                .check(MainCode.of(KeyholdModule.CORE));
    }

    @Test
    void engineKnowsNoLockAndNoParticularStore() {
        noClasses()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .dependOnClassesThat(resideInAPackage(LOCK).or(resideInAnyPackage(STORES)))
                .check(MainCode.of(KeyholdModule.CORE));
    }

    @Test
    void locksKnowNoParticularStore() {
        noClasses()
                .that()
                .resideInAPackage(LOCK)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(STORES)
                .check(MainCode.of(KeyholdModule.CORE));
    }

    @Test
    void internalPackagesFormNoCycle() {
        slices().matching("io.keyhold.internal.(**)").should().beFreeOfCycles().check(MainCode.of(KeyholdModule.CORE));
    }

    /**
     * {@code Keyhold.builder()} does not count: an interface with a factory method is in a cycle with what implements it. Neither
     * do the classes that a sealed type permits, which ArchUnit does not see as a dependency.
     */
    @Test
    void coreHasNoCycleOfMoreThanThreeClasses() {
        Cycles cycles = new Cycles(
                MainCode.of(KeyholdModule.CORE),
                Cycles::topLevel,
                (from, to) -> from.equals("io.keyhold.Keyhold") && to.equals("io.keyhold.KeyholdBuilder"));
        assertThat(cycles.largerThan(3)).isEmpty();
    }

    @Test
    void sharedWordsDependOnNoneOfTheirUsers() {
        noClasses()
                .that()
                .resideInAPackage("io.keyhold.internal")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.keyhold.internal.*..")
                .check(MainCode.of(KeyholdModule.CORE));
    }

    /**
     * {@code SystemClock}, {@code ThreadScheduler}, {@code CallbackThreads} and {@code BlockingCaller} are the edges where
     * real time and real threads come in.
     */
    @Test
    void engineUsesNoClockAndNoThreads() {
        noClasses()
                .that()
                .resideInAnyPackage(ENGINE, "io.keyhold.internal.time..")
                .and()
                .doNotHaveFullyQualifiedName("io.keyhold.internal.time.SystemClock")
                .and()
                .doNotHaveFullyQualifiedName("io.keyhold.internal.time.ThreadScheduler")
                .and()
                .doNotHaveFullyQualifiedName("io.keyhold.internal.time.CallbackThreads")
                .and()
                .doNotHaveFullyQualifiedName("io.keyhold.internal.time.BlockingCaller")
                .should()
                .accessTargetWhere(RealWorld.timeOrThread())
                .because("time and threads are injected, which is what makes the engine testable by simulation")
                .check(MainCode.of(KeyholdModule.CORE));
    }

    @Test
    void noServerCallInsideMonitor() {
        methods()
                .that()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .should(RealWorld.notTalkToAServer())
                .allowEmptyShould(true)
                .check(MainCode.of(KeyholdModule.CORE));
    }

    @Test
    void exportedTypesShowNoInternalType() {
        classes()
                .that()
                .arePublic()
                .and()
                .resideOutsideOfPackage(INTERNAL)
                .should(Signatures.showNo(resideInAPackage(INTERNAL)))
                .check(MainCode.of(KeyholdModule.CORE));
    }

    @Test
    void nothingPrints() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(MainCode.all());
    }

    @Test
    void nothingUsesJavaUtilLogging() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .because("System.Logger leaves the choice of a logger to the application")
                .check(MainCode.all());
    }
}
