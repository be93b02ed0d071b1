package io.keyhold.tests.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Groups of classes that all depend on each other: to understand one of them, a reader has to understand all. */
final class Cycles {

    private final Map<String, Set<String>> dependencies = new TreeMap<>();

    /** {@code file} maps the name of a class to the unit that is counted; {@code ignored} says which dependencies do not count. */
    Cycles(JavaClasses classes, UnaryOperator<String> file, BiPredicate<String, String> ignored) {
        Set<String> known = classes.stream().map(JavaClass::getName).map(file).collect(Collectors.toSet());
        for (JavaClass from : classes) {
            from.getDirectDependenciesFromSelf().forEach(dependency -> {
                String origin = file.apply(from.getName());
                String target = file.apply(
                        dependency.getTargetClass().getBaseComponentType().getName());
                if (known.contains(target) && !origin.equals(target) && !ignored.test(origin, target)) {
                    dependencies
                            .computeIfAbsent(origin, same -> new TreeSet<>())
                            .add(target);
                }
            });
        }
    }

    /** Returns the top-level class of a class. */
    static String topLevel(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    /** Returns the cycles of more classes than that. */
    Set<Set<String>> largerThan(int most) {
        Set<Set<String>> cycles = new LinkedHashSet<>();
        for (String name : dependencies.keySet()) {
            Set<String> cycle = new TreeSet<>(reachable(name));
            cycle.removeIf(other -> !reachable(other).contains(name));
            if (cycle.size() > most) {
                cycles.add(cycle);
            }
        }
        return cycles;
    }

    private Set<String> reachable(String from) {
        Set<String> seen = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(dependencies.getOrDefault(from, Set.of()));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (seen.add(next)) {
                open.addAll(dependencies.getOrDefault(next, Set.of()));
            }
        }
        return seen;
    }
}
