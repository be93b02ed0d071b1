package io.keyhold.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.keyhold.tests.modules.KeyholdModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The public API is a reviewed file per module, and changes only together with it. */
final class PublicApiTest {

    private static final String ACCEPT = "keyhold.api.accept";

    private static final String HOW_TO_ACCEPT = """
            If this change is meant, accept it and review the file's diff with the rest:
              mvn -pl keyhold-tests -am test -Dtest=PublicApiTest -Dsurefire.failIfNoSpecifiedTests=false \
            -Dkeyhold.api.accept=true""";

    private static final Path REVIEWED = KeyholdModule.root().resolve("build/api");

    @BeforeAll
    static void acceptIfAsked() throws IOException {
        if (Boolean.getBoolean(ACCEPT)) {
            Files.createDirectories(REVIEWED);
            for (KeyholdModule module : KeyholdModule.values()) {
                Files.write(file(module), ApiPrinter.print(exportedTypes(module)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void publicApiIsTheReviewedOne(KeyholdModule module) throws IOException {
        List<String> actual = ApiPrinter.print(exportedTypes(module));
        Path file = file(module);
        List<String> reviewed = Files.exists(file) ? Files.readAllLines(file) : List.of();
        if (!actual.equals(reviewed)) {
            fail("the public API of %s differs from %s:%n%s%n%s"
                    .formatted(
                            module,
                            KeyholdModule.root().relativize(file),
                            String.join("\n", difference(reviewed, actual)),
                            HOW_TO_ACCEPT));
        }
        assertThat(actual).as("what %s exports", module).isNotEmpty();
    }

    @Test
    void everyReviewedFileBelongsToAModule() throws IOException {
        try (Stream<Path> files = Files.list(REVIEWED)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Arrays.stream(KeyholdModule.values())
                            .map(module -> module.artifact() + ".txt")
                            .toList());
        }
    }

    @Test
    void differenceIsReadable() {
        assertThat(difference(List.of("A: class", "A: int a()"), List.of("A: class", "A: long a()")))
                .containsExactly("- A: int a()", "+ A: long a()");
    }

    private static Path file(KeyholdModule module) {
        return REVIEWED.resolve(module.artifact() + ".txt");
    }

    private static List<Class<?>> exportedTypes(KeyholdModule module) {
        Set<String> packages = module.exportedPackages();
        return module.classNames().stream()
                .filter(name -> packages.contains(name.substring(0, name.lastIndexOf('.'))))
                .<Class<?>>map(PublicApiTest::load)
                .toList();
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(name + " is in the module and cannot be loaded", e);
        }
    }

    private static List<String> difference(List<String> reviewed, List<String> actual) {
        return Stream.concat(
                        reviewed.stream().filter(line -> !actual.contains(line)).map(line -> "- " + line),
                        actual.stream().filter(line -> !reviewed.contains(line)).map(line -> "+ " + line))
                .sorted((one, other) -> one.substring(2).compareTo(other.substring(2)))
                .toList();
    }
}
