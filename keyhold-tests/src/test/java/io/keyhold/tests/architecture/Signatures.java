package io.keyhold.tests.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types that the users of a class get to see. */
final class Signatures {

    private Signatures() {}

    /** No supertype, and no type in the signature of a public or protected member, is one of these. */
    static ArchCondition<JavaClass> showNo(DescribedPredicate<? super JavaClass> hidden) {
        return new ArchCondition<>("show no type that would " + hidden.getDescription()) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                report(type, type.getFullName(), supertypes(type), events);
                type.getMembers().stream()
                        .filter(Signatures::isShown)
                        .forEach(member -> report(type, member.getFullName(), types(member), events));
            }

            private void report(JavaClass type, String where, Stream<JavaType> shown, ConditionEvents events) {
                Set<String> found = shown.flatMap(each -> each.getAllInvolvedRawTypes().stream())
                        .map(JavaClass::getBaseComponentType)
                        .filter(hidden)
                        .map(JavaClass::getName)
                        .collect(Collectors.toSet());
                if (!found.isEmpty()) {
                    events.add(SimpleConditionEvent.violated(type, where + " shows " + found));
                }
            }
        };
    }

    private static Stream<JavaType> supertypes(JavaClass type) {
        return Stream.of(type.getSuperclass().stream(), type.getInterfaces().stream(), bounds(type.getTypeParameters()))
                .flatMap(each -> each);
    }

    private static boolean isShown(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private static Stream<JavaType> types(JavaMember member) {
        if (member instanceof JavaField field) {
            return Stream.of(field.getType());
        }
        JavaCodeUnit code = (JavaCodeUnit) member;
        return Stream.of(
                        Stream.of(code.getReturnType()),
                        code.getParameterTypes().stream(),
                        code.getExceptionTypes().stream(),
                        bounds(code.getTypeParameters()))
                .flatMap(each -> each);
    }

    private static Stream<JavaType> bounds(List<? extends JavaTypeVariable<?>> parameters) {
        return parameters.stream().flatMap(parameter -> parameter.getUpperBounds().stream());
    }
}
