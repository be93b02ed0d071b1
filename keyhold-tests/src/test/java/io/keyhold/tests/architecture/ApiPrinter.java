package io.keyhold.tests.architecture;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of some types, one declaration a line, in an order that does not depend on the compiler: what users can
 * name, call or implement, with generics, nullness, exceptions, and what is sealed. Members that a type inherits from a
 * type of its module that users do not see are its own. Left out are bodies, the names of parameters, what every enum, every
 * record and every object has anyway, and tests, which are run and not called.
 */
final class ApiPrinter {

    private final Set<Class<?>> types;

    private ApiPrinter(Collection<Class<?>> types) {
        this.types = Set.copyOf(types);
    }

    /** The lines of the types among these that are public. */
    static List<String> print(Collection<Class<?>> types) {
        ApiPrinter printer = new ApiPrinter(types);
        return types.stream()
                .filter(ApiPrinter::isPublic)
                .sorted(Comparator.comparing(ApiTypes::name))
                .flatMap(printer::lines)
                .toList();
    }

    private static boolean isPublic(Class<?> type) {
        return type.getCanonicalName() != null
                && ApiMembers.isShown(type.getModifiers())
                && (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
    }

    /** Of the same module, and not among the types that are printed. */
    private boolean isHidden(Class<?> type, Class<?> seenFrom) {
        boolean sameModule = Objects.equals(
                type.getProtectionDomain().getCodeSource(),
                seenFrom.getProtectionDomain().getCodeSource());
        return sameModule && !(isPublic(type) && types.contains(type));
    }

    private Stream<String> lines(Class<?> type) {
        // Where a type overrides what it inherits, its own declaration comes first and stays.
        Map<String, String> members = withHiddenParents(type)
                .flatMap(source -> ApiMembers.of(source, type))
                .collect(Collectors.toMap(
                        ApiMembers.Line::signature, ApiMembers.Line::text, (own, inherited) -> own, TreeMap::new));
        return Stream.concat(Stream.of(header(type)), members.values().stream())
                .map(line -> ApiTypes.name(type) + ": " + line);
    }

    private Stream<Class<?>> withHiddenParents(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                parents(type)
                        .map(ApiTypes::raw)
                        .filter(parent -> isHidden(parent, type))
                        .flatMap(this::withHiddenParents));
    }

    private static Stream<AnnotatedType> parents(Class<?> type) {
        Stream<AnnotatedType> superclass = Stream.ofNullable(type.getAnnotatedSuperclass());
        return Stream.concat(superclass, Arrays.stream(type.getAnnotatedInterfaces()));
    }

    /** What a type extends and implements, in the eyes of users: what a hidden parent extends, rather than the parent. */
    private Stream<AnnotatedType> shownParents(Class<?> type) {
        return parents(type)
                .flatMap(parent ->
                        isHidden(ApiTypes.raw(parent), type) ? shownParents(ApiTypes.raw(parent)) : Stream.of(parent));
    }

    private String header(Class<?> type) {
        StringJoiner line = new StringJoiner(" ");
        line.add(modifiers(type) + kind(type) + ApiTypes.parameters(type));
        if (type.isRecord()) {
            line.add(Arrays.stream(type.getRecordComponents())
                    .map(component -> ApiTypes.text(component.getAnnotatedType()) + " " + component.getName())
                    .collect(Collectors.joining(", ", "(", ")")));
        }
        String parents = shownParents(type)
                .filter(parent ->
                        !Set.of(Object.class, Record.class, Enum.class).contains(ApiTypes.raw(parent)))
                .map(ApiTypes::text)
                .distinct()
                .collect(Collectors.joining(", "));
        if (!parents.isEmpty()) {
            line.add("extends " + parents);
        }
        if (isSealed(type)) {
            line.add(Arrays.stream(type.getPermittedSubclasses())
                    .filter(permitted -> !isHidden(permitted, type))
                    .map(ApiTypes::name)
                    .sorted()
                    .collect(Collectors.joining(", ", "permits ", "")));
        }
        return line.toString();
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "@interface";
        }
        if (type.isInterface()) {
            return "interface";
        }
        if (type.isEnum()) {
            return "enum";
        }
        return type.isRecord() ? "record" : "class";
    }

    private static String modifiers(Class<?> type) {
        int modifiers = type.getModifiers();
        boolean ordinary = kind(type).equals("class");
        return ApiMembers.marks(type)
                + (Modifier.isProtected(modifiers) ? "protected " : "")
                + (ordinary && type.isMemberClass() && !Modifier.isStatic(modifiers) ? "inner " : "")
                + (ordinary && Modifier.isAbstract(modifiers) ? "abstract " : "")
                + (ordinary && Modifier.isFinal(modifiers) ? "final " : "")
                + (isSealed(type) ? "sealed " : "");
    }

    /** An enum whose constants have bodies is sealed for the compiler, and no different for users. */
    private static boolean isSealed(Class<?> type) {
        return type.isSealed() && !type.isEnum();
    }
}
