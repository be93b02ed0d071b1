package io.keyhold.internal.engine;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * A scenario of two threads that Lincheck runs over and over, each time with the threads interleaved in another way: first
 * with few switches between them, then with more. It chooses where they switch, at every access to memory that they
 * share, and the same in every run. The results must be those of the same calls one after the other, in some
 * order; otherwise the schedule is printed.
 *
 * <p>A call into the JDK's concurrent collections is taken as one step: those have tests of their own.
 * The log is off ({@code logging.properties}), so that no schedule stops at its locks.
 */
public final class Interleavings {

    private final Class<?> subject;
    private final List<Actor> before = new ArrayList<>();
    private final List<Actor> oneThread = new ArrayList<>();
    private final List<Actor> otherThread = new ArrayList<>();
    private final List<Actor> after = new ArrayList<>();
    private final List<ManagedStrategyGuarantee> steps = new ArrayList<>();

    private Interleavings(Class<?> subject) {
        this.subject = subject;
    }

    /** Of calls to a new instance of this class in each run. */
    public static Interleavings of(Class<?> subject) {
        return new Interleavings(subject);
    }

    /** First of all, on one thread. */
    public Interleavings before(String method, Object... arguments) {
        before.add(call(method, arguments));
        return this;
    }

    public Interleavings oneThread(String method, Object... arguments) {
        oneThread.add(call(method, arguments));
        return this;
    }

    public Interleavings otherThread(String method, Object... arguments) {
        otherThread.add(call(method, arguments));
        return this;
    }

    /** Last of all, when both threads are done. */
    public Interleavings after(String method, Object... arguments) {
        after.add(call(method, arguments));
        return this;
    }

    /** A method during which the threads do not switch: what it does is not what the scenario is about. */
    public Interleavings asOneStep(Class<?> owner, String method) {
        steps.add(ManagedStrategyGuaranteeKt.forClasses(owner.getName())
                .methods(method)
                .ignore());
        return this;
    }

    private Actor call(String name, Object... arguments) {
        Method method = Arrays.stream(subject.getMethods())
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return new Actor(method, List.of(arguments));
    }

    /**
     * Explores scenarios of one class. What its methods mean is said by those of the same names in {@code specification},
     * for one thread.
     */
    public static void checkAgainst(Class<?> specification, int schedules, Interleavings... scenarios) {
        ModelCheckingOptions options = options(specification).invocationsPerIteration(schedules);
        for (Interleavings scenario : scenarios) {
            scenario.addTo(options);
        }
        options.check(scenarios[0].subject);
    }

    private void addTo(ModelCheckingOptions options) {
        steps.forEach(options::addGuarantee);
        options.addCustomScenario(new ExecutionScenario(before, List.of(oneThread, otherThread), after, null));
    }

    private static ModelCheckingOptions options(Class<?> specification) {
        return new ModelCheckingOptions()
                .iterations(0)
                .minimizeFailedScenario(false)
                .sequentialSpecification(specification)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                "java.util.concurrent.ConcurrentHashMap", "java.util.concurrent.ConcurrentLinkedQueue")
                        .allMethods()
                        .treatAsAtomic())
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses("java.lang.System$Logger")
                        .allMethods()
                        .ignore());
    }
}
