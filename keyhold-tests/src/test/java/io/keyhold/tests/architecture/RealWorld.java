package io.keyhold.tests.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What reaches out of a deterministic program: clocks, threads, sleeping, servers. */
final class RealWorld {

    private static final Map<Class<?>, Set<String>> FORBIDDEN = Map.of(
            System.class, Set.of("nanoTime", "currentTimeMillis"),
            Clock.class, Set.of("systemUTC", "systemDefaultZone", "system", "tickMillis", "tickSeconds"),
            Thread.class, Set.of("sleep", "start", "startVirtualThread", "ofVirtual", "ofPlatform"),
            TimeUnit.class, Set.of("sleep"),
            LockSupport.class, Set.of("park", "parkNanos", "parkUntil"),
            Object.class, Set.of("wait"),
            // These run on the JVM's own pool, or on its own timer.
            CompletableFuture.class,
                    Set.of("supplyAsync", "runAsync", "delayedExecutor", "orTimeout", "completeOnTimeout"));

    private RealWorld() {}

    /** Reads a clock, sleeps, or makes a thread, a pool or a timer; a method reference counts as a call. */
    static DescribedPredicate<JavaAccess<?>> timeOrThread() {
        return DescribedPredicate.describe("reads a clock, sleeps or makes a thread", RealWorld::isTimeOrThread);
    }

    private static boolean isTimeOrThread(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        JavaClass owner = target.getOwner();
        String name = target.getName();
        return (name.equals(JavaConstructor.CONSTRUCTOR_NAME) && isThreadOrPool(owner))
                || (name.equals("now") && owner.getPackageName().startsWith("java.time"))
                || owner.isEquivalentTo(Executors.class)
                || FORBIDDEN.entrySet().stream()
                        .anyMatch(entry -> owner.isEquivalentTo(entry.getKey())
                                && entry.getValue().contains(name));
    }

    private static boolean isThreadOrPool(JavaClass type) {
        return type.isAssignableTo(Thread.class)
                || type.isAssignableTo(Timer.class)
                || (type.isAssignableTo(Executor.class) && type.getPackageName().startsWith("java."));
    }

    /** Does not call a store or a driver, and does not wait for a future. Sees only what the method does itself. */
    static ArchCondition<JavaMethod> notTalkToAServer() {
        return new ArchCondition<>("not call a store or a driver, nor wait for a future") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                for (JavaAccess<?> access : method.getAccessesFromSelf()) {
                    if (talks(access)) {
                        events.add(SimpleConditionEvent.violated(method, access.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean talks(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        boolean waits = owner.isAssignableTo(CompletionStage.class)
                && Set.of("get", "join").contains(access.getName());
        return waits
                || owner.isAssignableTo("io.keyhold.internal.store.LockStore")
                || owner.isAssignableTo("io.keyhold.spi.RedisDriver")
                || owner.isAssignableTo("io.keyhold.spi.RedisSession");
    }
}
