package io.keyhold.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Which methods can be under a lock, by their signature. */
final class ReturnTypes {

    private static final Set<String> REACTIVE = Set.of("reactor.core.publisher.Mono", "reactor.core.publisher.Flux");
    private static final boolean COROUTINES_PRESENT =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", ReturnTypes.class.getClassLoader());

    private ReturnTypes() {}

    /** Whether the advice gets a publisher and returns one. For a suspending function Spring makes one of it, and awaits it. */
    static boolean isReactive(Method method) {
        return isReactive(method.getReturnType()) || KotlinDetector.isSuspendingFunction(method);
    }

    private static boolean isReactive(Class<?> type) {
        return REACTIVE.contains(type.getName());
    }

    /** Refuses what would run without its lock, or could not be skipped. */
    static void check(HoldSpec spec) {
        Method method = spec.method();
        Class<?> type = method.getReturnType();
        if (KotlinDetector.isSuspendingFunction(method) && !COROUTINES_PRESENT) {
            throw new IllegalArgumentException(
                    "a suspending function needs kotlinx-coroutines-reactor and kotlin-reflect on the class path");
        }
        if (endsLater(type) && !isReactive(type) && type != CompletableFuture.class && type != CompletionStage.class) {
            throw new IllegalArgumentException("the lock would be released before the work of a " + type.getName()
                    + " ends; return a CompletableFuture, Mono or Flux");
        }
        if ((endsLater(type) || spec.isReactive()) && spec.onLoss() == OnLoss.INTERRUPT) {
            throw new IllegalArgumentException(
                    "onLoss = INTERRUPT needs a method that does its work on the calling thread, but it "
                            + (endsLater(type) ? "returns a " + type.getName() : "suspends"));
        }
        if (spec.onBusy() == OnBusy.SKIP && type.isPrimitive() && type != void.class) {
            throw new IllegalArgumentException("onBusy = SKIP returns null, but the method returns " + type
                    + "; return " + ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName() + " or an Optional");
        }
    }

    /** Whether the work of a method goes on after it has returned this. */
    private static boolean endsLater(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch(ReturnTypes::isPublisher)
                || isPublisher(type);
    }

    private static boolean isPublisher(Class<?> type) {
        String name = type.getName();
        return name.equals("org.reactivestreams.Publisher")
                || name.equals("java.util.concurrent.Flow$Publisher")
                || name.equals("kotlinx.coroutines.flow.Flow");
    }

    /** Finds the method that runs instead. */
    static Method fallback(String name, Method method, Class<?> targetClass) {
        Method fallback =
                name.isEmpty() ? null : ReflectionUtils.findMethod(targetClass, name, method.getParameterTypes());
        if (fallback == null || !ClassUtils.isAssignable(method.getReturnType(), fallback.getReturnType())) {
            throw new IllegalArgumentException("onBusy = FALLBACK needs a fallback method with the same parameters "
                    + Arrays.toString(method.getParameterTypes()) + " and a result of "
                    + method.getReturnType().getName()
                    + ", was '" + name + "'");
        }
        ReflectionUtils.makeAccessible(fallback);
        return fallback;
    }

    /**
     * Refuses a method that no call through this proxy reaches.
     *
     * @throws IllegalStateException with the reason
     */
    static void checkReachable(Method method, Object proxy) {
        String problem = null;
        if (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers())) {
            problem = "a static or private method";
        } else if (!Proxy.isProxyClass(proxy.getClass())) {
            problem = Modifier.isFinal(method.getModifiers()) ? "a final method" : null;
        } else if (Arrays.stream(ClassUtils.getAllInterfaces(proxy))
                .noneMatch(type -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()))) {
            problem = "a method that is not in an interface of its JDK proxy";
        }
        if (problem != null) {
            throw new IllegalStateException(
                    "@Locked or @Limited on " + method.getDeclaringClass().getName() + "." + method.getName() + ": "
                            + problem + " cannot be intercepted, so it would run without its lock");
        }
    }
}
