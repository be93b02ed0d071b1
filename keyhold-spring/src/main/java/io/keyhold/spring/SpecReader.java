package io.keyhold.spring;

import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/** Reads the annotations of methods, and refuses those that cannot work. */
final class SpecReader {

    private static final Duration LONGEST_REST = Duration.ofDays(31);

    private final ConfigurableBeanFactory beans;
    private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
    private final Map<MethodClassKey, Optional<HoldSpec>> known = new ConcurrentHashMap<>();

    SpecReader(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    ParameterNameDiscoverer names() {
        return names;
    }

    /**
     * Returns what the annotation of this method says.
     *
     * @return empty if it has none
     * @throws IllegalStateException if it cannot work, with the method and the rule
     */
    Optional<HoldSpec> read(Method method, Class<?> targetClass) {
        return known.computeIfAbsent(
                new MethodClassKey(method, targetClass),
                key -> readAnnotations(AopUtils.getMostSpecificMethod(method, targetClass), targetClass));
    }

    private Optional<HoldSpec> readAnnotations(Method method, Class<?> targetClass) {
        Locked locked = AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
        Limited limited = AnnotatedElementUtils.findMergedAnnotation(method, Limited.class);
        if (locked == null && limited == null) {
            return Optional.empty();
        }
        String annotation = locked != null ? "@Locked" : "@Limited";
        try {
            if (locked != null && limited != null) {
                throw new IllegalArgumentException(
                        "a method cannot have @Limited too; put it on a method that calls this one");
            }
            HoldSpec spec = locked != null
                    ? read(locked, method, targetClass)
                    : read(Objects.requireNonNull(limited), method, targetClass);
            check(spec);
            return Optional.of(spec);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    annotation + " on " + targetClass.getName() + "." + method.getName() + ": " + e.getMessage(), e);
        }
    }

    private HoldSpec read(Locked locked, Method method, Class<?> targetClass) {
        HoldSpec.Kind kind = switch (locked.mode()) {
            case EXCLUSIVE -> HoldSpec.Kind.LOCK;
            case SHARED -> HoldSpec.Kind.READ;
            case WRITE -> HoldSpec.Kind.WRITE;
        };
        if (kind != HoldSpec.Kind.LOCK && locked.key().length > 1) {
            throw new IllegalArgumentException(
                    "mode " + locked.mode() + " takes one key, had " + Arrays.toString(locked.key()));
        }
        return new HoldSpec(
                method,
                name(locked.name(), method),
                kind,
                keys(locked.key(), method),
                1,
                1,
                duration("maxWait", locked.maxWait()),
                duration("lease", locked.lease()),
                rest(locked.atLeast()),
                locked.onBusy(),
                fallback(locked.onBusy(), locked.fallback(), method, targetClass),
                locked.onLoss(),
                locked.release(),
                condition(locked.condition(), method),
                client(locked.client()));
    }

    private HoldSpec read(Limited limited, Method method, Class<?> targetClass) {
        return new HoldSpec(
                method,
                name(limited.name(), method),
                HoldSpec.Kind.PERMITS,
                keys(StringUtils.hasText(limited.key()) ? new String[] {limited.key()} : new String[0], method),
                permits(limited.permits(), limited.take()),
                limited.take(),
                duration("maxWait", limited.maxWait()),
                duration("lease", limited.lease()),
                rest(limited.atLeast()),
                limited.onBusy(),
                fallback(limited.onBusy(), limited.fallback(), method, targetClass),
                limited.onLoss(),
                ReleaseAfter.METHOD,
                condition(limited.condition(), method),
                client(limited.client()));
    }

    private static void check(HoldSpec spec) {
        ReturnTypes.check(spec);
        spec.apply(LockOptions.builder()); // Refuses a bad name or duration, with the rule.
    }

    private String resolve(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        if (resolved == null || resolved.contains("${")) {
            throw new IllegalArgumentException("'" + text + "' has a placeholder that cannot be resolved");
        }
        return resolved;
    }

    private String name(String name, Method method) {
        String classAndMethod = method.getDeclaringClass().getSimpleName() + "." + method.getName();
        return name.isEmpty() ? classAndMethod.substring(Math.max(0, classAndMethod.length() - 64)) : resolve(name);
    }

    private List<Template> keys(String[] keys, Method method) {
        if (keys.length == 0) {
            throw new IllegalArgumentException("needs a key");
        }
        return Arrays.stream(keys).map(key -> template("key", key, method)).toList();
    }

    private @Nullable Template condition(String condition, Method method) {
        return condition.isEmpty() ? null : template("condition", condition, method);
    }

    private Template template(String attribute, String text, Method method) {
        String resolved = resolve(text);
        if (resolved.isBlank()) {
            throw new IllegalArgumentException(attribute + " must not be blank, was '" + text + "'");
        }
        return Template.parse(resolved, variables(method));
    }

    /** The variables that {@code MethodBasedEvaluationContext} has. */
    private Set<String> variables(Method method) {
        Set<String> variables = new LinkedHashSet<>();
        String[] parameters = names.getParameterNames(method);
        if (parameters != null) {
            variables.addAll(Arrays.asList(parameters));
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            variables.addAll(List.of("p" + i, "a" + i));
        }
        variables.addAll(List.of("root", "this"));
        return variables;
    }

    private @Nullable Duration duration(String attribute, String text) {
        if (text.isEmpty()) {
            return null;
        }
        String resolved = resolve(text);
        try {
            return DurationFormatterUtils.detectAndParse(resolved);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    attribute + " must be a duration such as 500ms, 10s or PT10S, was '" + resolved + "'", e);
        }
    }

    private Duration rest(String atLeast) {
        Duration rest = duration("atLeast", atLeast);
        if (rest != null && (rest.isNegative() || rest.compareTo(LONGEST_REST) > 0)) {
            throw new IllegalArgumentException("atLeast must be from 0 to 31 days, was " + rest);
        }
        return rest != null ? rest : Duration.ZERO;
    }

    private int permits(String permits, int take) {
        String resolved = resolve(permits);
        int number;
        try {
            number = Integer.parseInt(resolved.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("permits must be a number, was '" + resolved + "'", e);
        }
        SemaphoreOptions.builder().permits(number);
        if (take < 1 || take > number) {
            throw new IllegalArgumentException(
                    "take must be from 1 to the number of permits, " + number + ", was " + take);
        }
        return number;
    }

    private static @Nullable Method fallback(OnBusy onBusy, String fallback, Method method, Class<?> targetClass) {
        if (onBusy != OnBusy.FALLBACK) {
            if (!fallback.isEmpty()) {
                throw new IllegalArgumentException(
                        "fallback '" + fallback + "' needs onBusy = FALLBACK, was " + onBusy);
            }
            return null;
        }
        return ReturnTypes.fallback(fallback, method, targetClass);
    }

    private String client(String client) {
        String name = client.isEmpty() ? "" : resolve(client);
        if (!name.isEmpty() && !beans.containsBean(name)) {
            throw new IllegalArgumentException("there is no bean '" + name + "' to be the client");
        }
        return name;
    }
}
