package io.keyhold.tests.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.keyhold.tests.modules.KeyholdModule;
import java.util.Arrays;

/** The published classes, read once. */
final class MainCode {

    private static final JavaClasses ALL = new ClassFileImporter()
            .importPaths(Arrays.stream(KeyholdModule.values())
                    .map(KeyholdModule::location)
                    .toList());

    private MainCode() {}

    /** The classes of every module. */
    static JavaClasses all() {
        return ALL;
    }

    /** The classes of one module. */
    static JavaClasses of(KeyholdModule module) {
        return ALL.that(in(module));
    }

    /** The classes of every module but one. */
    static JavaClasses allBut(KeyholdModule module) {
        return ALL.that(DescribedPredicate.not(in(module)));
    }

    /** Whether a class is one of that module. */
    static DescribedPredicate<JavaClass> in(KeyholdModule module) {
        String location = module.location().toUri().toString();
        return DescribedPredicate.describe(
                "of " + module,
                type -> type.getBaseComponentType()
                        .getSource()
                        .filter(source -> source.getUri().toString().contains(location))
                        .isPresent());
    }
}
