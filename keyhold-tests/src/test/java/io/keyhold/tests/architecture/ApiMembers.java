package io.keyhold.tests.architecture;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Stream;

/** The public and protected members of a type, as text. */
final class ApiMembers {

    private ApiMembers() {}

    /**
     * One member.
     *
     * @param signature name and arguments, which it is sorted by
     * @param text its declaration
     */
    record Line(String signature, String text) {}

    /** Those that {@code source} declares, as members of {@code type}: the same type, or one that inherits them. */
    static Stream<Line> of(Class<?> source, Class<?> type) {
        Stream<Member> inheritable =
                Stream.concat(Arrays.stream(source.getDeclaredFields()), Arrays.stream(source.getDeclaredMethods()));
        Stream<Member> members = source == type
                ? Stream.concat(inheritable, Arrays.stream(source.getDeclaredConstructors()))
                : inheritable;
        return members.filter(member -> isShown(member.getModifiers()) && !member.isSynthetic())
                .filter(member -> source == type || !isStaticOfInterface(member))
                .filter(member -> !isImplied(type, member) && !isTest((AnnotatedElement) member))
                .map(member -> member instanceof Field field
                        ? new Line(field.getName(), text(field))
                        : new Line(signature(type, (Executable) member), text(type, (Executable) member)));
    }

    static boolean isShown(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /** The annotations that users notice. */
    static String marks(AnnotatedElement element) {
        return (element.isAnnotationPresent(Deprecated.class) ? "@Deprecated " : "")
                + (element.isAnnotationPresent(FunctionalInterface.class) ? "@FunctionalInterface " : "");
    }

    private static boolean isStaticOfInterface(Member member) {
        return member instanceof Method
                && Modifier.isStatic(member.getModifiers())
                && member.getDeclaringClass().isInterface();
    }

    private static boolean isTest(AnnotatedElement element) {
        return Arrays.stream(element.getAnnotations())
                .anyMatch(annotation ->
                        annotation.annotationType().getPackageName().startsWith("org.junit."));
    }

    private static boolean isImplied(Class<?> type, Member member) {
        if (member instanceof Constructor<?> constructor) {
            return type.isRecord() && isCanonical(type, constructor);
        }
        return member instanceof Method method
                && (isOfEveryObject(method)
                        || (type.isEnum() && (isNamed(method, "values") || isNamed(method, "valueOf")))
                        || (type.isRecord() && isAccessor(type, method)));
    }

    private static boolean isNamed(Method method, String name) {
        return method.getName().equals(name);
    }

    private static boolean isOfEveryObject(Method method) {
        return Arrays.stream(Object.class.getMethods())
                .anyMatch(any -> isNamed(any, method.getName())
                        && Arrays.equals(any.getParameterTypes(), method.getParameterTypes()));
    }

    private static boolean isCanonical(Class<?> type, Constructor<?> constructor) {
        Class<?>[] components = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        return Arrays.equals(constructor.getParameterTypes(), components);
    }

    private static boolean isAccessor(Class<?> type, Method method) {
        return Arrays.stream(type.getRecordComponents()).anyMatch(component -> method.equals(component.getAccessor()));
    }

    private static String text(Field field) {
        if (field.isEnumConstant()) {
            return marks(field) + "constant " + field.getName();
        }
        return marks(field)
                + (Modifier.isProtected(field.getModifiers()) ? "protected " : "")
                + (Modifier.isStatic(field.getModifiers()) ? "static " : "")
                + (Modifier.isFinal(field.getModifiers()) ? "final " : "")
                + ApiTypes.text(field.getAnnotatedType()) + " " + field.getName();
    }

    private static String signature(Class<?> type, Executable code) {
        return (code instanceof Method ? code.getName() : type.getSimpleName()) + "(" + arguments(code) + ")";
    }

    private static String text(Class<?> type, Executable code) {
        String typeParameters = ApiTypes.parameters(code);
        String result = code instanceof Method method ? ApiTypes.text(method.getAnnotatedReturnType()) + " " : "";
        String thrown = ApiTypes.list(code.getAnnotatedExceptionTypes());
        return marks(code)
                + modifiers(type, code)
                + (typeParameters.isEmpty() ? "" : typeParameters + " ")
                + result
                + signature(type, code)
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String modifiers(Class<?> type, Executable code) {
        int modifiers = code.getModifiers();
        return (Modifier.isProtected(modifiers) ? "protected " : "")
                + (Modifier.isStatic(modifiers) ? "static " : "")
                + (type.isInterface() && code instanceof Method method && method.isDefault() ? "default " : "")
                + (!type.isInterface() && Modifier.isAbstract(modifiers) ? "abstract " : "")
                + (Modifier.isFinal(modifiers) && !Modifier.isFinal(type.getModifiers()) ? "final " : "");
    }

    private static String arguments(Executable code) {
        String arguments = ApiTypes.list(code.getAnnotatedParameterTypes());
        return code.isVarArgs() ? arguments.substring(0, arguments.length() - "[]".length()) + "..." : arguments;
    }
}
