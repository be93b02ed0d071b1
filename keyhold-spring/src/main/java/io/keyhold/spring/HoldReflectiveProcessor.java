package io.keyhold.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** Native images: annotated methods and their fallbacks are found and called by reflection. */
final class HoldReflectiveProcessor implements ReflectiveProcessor {

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (element instanceof Method method) {
            hints.registerMethod(method, ExecutableMode.INVOKE);
            Method fallback = fallback(method);
            if (fallback != null) {
                hints.registerMethod(fallback, ExecutableMode.INVOKE);
            }
        }
    }

    private static @Nullable Method fallback(Method method) {
        Locked locked = AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
        Limited limited = AnnotatedElementUtils.findMergedAnnotation(method, Limited.class);
        String name = locked != null ? locked.fallback() : limited != null ? limited.fallback() : "";
        return name.isEmpty()
                ? null
                : ReflectionUtils.findMethod(method.getDeclaringClass(), name, method.getParameterTypes());
    }
}
