package io.keyhold.junit;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** What {@link KeyholdTest} registers. */
public final class KeyholdExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(KeyholdExtension.class);
    private static final Set<Class<?>> TYPES = Set.of(Keyhold.class, KeyholdBuilder.class, TestClock.class);

    /** For JUnit. */
    public KeyholdExtension() {}

    @Override
    public void beforeEach(ExtensionContext context) throws IllegalAccessException {
        for (Object test : context.getRequiredTestInstances().getAllInstances()) {
            for (Field field : AnnotationSupport.findAnnotatedFields(test.getClass(), InjectKeyhold.class)) {
                inject(field, test, context);
            }
        }
    }

    private static void inject(Field field, Object test, ExtensionContext context) throws IllegalAccessException {
        if (Modifier.isStatic(field.getModifiers()) || Modifier.isFinal(field.getModifiers())) {
            throw new ExtensionConfigurationException(
                    "a field with @InjectKeyhold must be neither static nor final, was " + field);
        }
        if (!TYPES.contains(field.getType())) {
            throw new ExtensionConfigurationException(
                    "a field with @InjectKeyhold must be a Keyhold, a KeyholdBuilder or a TestClock, was " + field);
        }
        field.setAccessible(true);
        field.set(test, setup(context).create(field.getType()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(
                    "a client lives for one test: " + parameter.getParameter()
                            + " must be a parameter of a test, a @BeforeEach or an @AfterEach method, or a field with @InjectKeyhold");
        }
        return setup(context).create(parameter.getParameter().getType());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestSetup setup = context.getStore(NAMESPACE).remove(TestSetup.class, TestSetup.class);
        if (setup != null) {
            setup.close();
        }
    }

    private static TestSetup setup(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        TestSetup setup = store.get(TestSetup.class, TestSetup.class);
        if (setup == null) {
            setup = TestSetup.at(place(context));
            store.put(TestSetup.class, setup);
        }
        return setup;
    }

    private static LockPlace place(ExtensionContext test) {
        for (Optional<ExtensionContext> context = Optional.of(test);
                context.isPresent();
                context = context.get().getParent()) {
            Optional<KeyholdTest> annotation =
                    AnnotationSupport.findAnnotation(context.get().getElement(), KeyholdTest.class);
            if (annotation.isPresent()) {
                return annotation.get().value();
            }
        }
        return LockPlace.MEMORY;
    }
}
