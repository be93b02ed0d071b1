package io.keyhold.tests.architecture;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Types as they are written in a declaration, with full names (but for java.lang) and their nullness. */
final class ApiTypes {

    private ApiTypes() {}

    /** One type. */
    static String text(AnnotatedType type) {
        // The brackets of an array of arrays are written from the outer array to the inner one.
        StringBuilder brackets = new StringBuilder();
        AnnotatedType element = type;
        while (element instanceof AnnotatedArrayType array) {
            String nullness = nullness(array);
            brackets.append(nullness.isEmpty() ? "" : " ").append(nullness).append("[]");
            element = array.getAnnotatedGenericComponentType();
        }
        return nullness(element) + plain(element) + brackets;
    }

    /** The class without its type arguments, of a type that is a class. */
    static Class<?> raw(AnnotatedType type) {
        return (Class<?>) (type.getType() instanceof ParameterizedType generic ? generic.getRawType() : type.getType());
    }

    private static String plain(AnnotatedType type) {
        if (type instanceof AnnotatedParameterizedType generic) {
            return name(raw(generic)) + "<" + list(generic.getAnnotatedActualTypeArguments()) + ">";
        }
        if (type instanceof AnnotatedTypeVariable variable) {
            return variable.getType().getTypeName();
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            return wildcard(wildcard);
        }
        return name((Class<?>) type.getType());
    }

    private static String wildcard(AnnotatedWildcardType type) {
        if (type.getAnnotatedLowerBounds().length > 0) {
            return "? super " + list(type.getAnnotatedLowerBounds());
        }
        String upper = list(type.getAnnotatedUpperBounds());
        return upper.equals("Object") || upper.isEmpty() ? "?" : "? extends " + upper;
    }

    /** Several types, with commas. */
    static String list(AnnotatedType[] types) {
        return Arrays.stream(types).map(ApiTypes::text).collect(Collectors.joining(", "));
    }

    /** The type parameters of a type or method in their brackets, or nothing. */
    static String parameters(GenericDeclaration declaration) {
        TypeVariable<?>[] parameters = declaration.getTypeParameters();
        return parameters.length == 0
                ? ""
                : Arrays.stream(parameters).map(ApiTypes::parameter).collect(Collectors.joining(", ", "<", ">"));
    }

    private static String parameter(TypeVariable<?> parameter) {
        String bounds = Arrays.stream(parameter.getAnnotatedBounds())
                .map(ApiTypes::text)
                .collect(Collectors.joining(" & "));
        return parameter.getName() + (bounds.equals("Object") || bounds.isEmpty() ? "" : " extends " + bounds);
    }

    /** The name of a type; those of java.lang go without their package. */
    static String name(Class<?> type) {
        String name = type.getCanonicalName() != null ? type.getCanonicalName() : type.getName();
        return type.getPackageName().equals("java.lang") && type.getDeclaringClass() == null
                ? type.getSimpleName()
                : name;
    }

    private static String nullness(AnnotatedElement element) {
        return Arrays.stream(element.getAnnotations())
                .map(Annotation::annotationType)
                .filter(annotation -> annotation.getPackageName().equals("org.jspecify.annotations"))
                .map(annotation -> "@" + annotation.getSimpleName() + " ")
                .collect(Collectors.joining());
    }
}
