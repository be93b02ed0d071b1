package io.keyhold.tests.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import io.keyhold.tests.modules.KeyholdModule;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** The published classes, read once. */
final class MainCode {

    private static final JavaClasses ALL = new ClassFileImporter()
            .importLocations(Arrays.stream(KeyholdModule.values())
                    .map(module -> location(module.location()))
                    .collect(Collectors.toSet()));

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
        Set<String> names = module.classNames();
        return DescribedPredicate.describe(
                "of " + module,
                type -> names.contains(type.getBaseComponentType().getName()));
    }

    private static Location location(Path path) {
        return Location.of(Files.isDirectory(path) ? path.toUri() : URI.create("jar:" + path.toUri() + "!/"));
    }
}
