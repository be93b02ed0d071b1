package io.keyhold.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.tests.modules.KeyholdModule;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The public API is a reviewed file per module, in the words of {@code javap}, and changes only together with it. */
final class PublicApiTest {

    private static final String HOW_TO_ACCEPT = """
            If this change of the public API is intended, accept it and review the file's diff with the rest:
              mvn -pl keyhold-tests -am test -Dtest=PublicApiTest -Dsurefire.failIfNoSpecifiedTests=false \
            -Dkeyhold.api.accept=true""";

    private static final String TEST_OF_A_CONTRACT = "public default void ";

    private static final Path REVIEWED = KeyholdModule.root().resolve("config/api");

    @ParameterizedTest
    @EnumSource
    void publicApiIsTheReviewedOne(KeyholdModule module) throws IOException {
        Path file = REVIEWED.resolve(module.artifact() + ".txt");
        List<String> actual = api(module);
        if (Boolean.getBoolean("keyhold.api.accept")) {
            Files.write(file, actual);
        }
        assertThat(difference(Files.readAllLines(file), actual))
                .as("%s against %s%n%s", module, file, HOW_TO_ACCEPT)
                .isEmpty();
    }

    @Test
    void everyReviewedFileBelongsToModule() throws IOException {
        try (Stream<Path> files = Files.list(REVIEWED)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Arrays.stream(KeyholdModule.values())
                            .map(module -> module.artifact() + ".txt")
                            .toList());
        }
    }

    @Test
    void apiHasTypesAndTheirPublicMembers() {
        assertThat(api(KeyholdModule.CORE))
                .contains("io.keyhold.Lease: public abstract boolean isHeld();")
                .noneMatch(line -> line.contains("private "))
                .noneMatch(line -> line.startsWith("io.keyhold.internal."));
    }

    /** One line for each type and for each member, which starts with the name of its type. */
    private static List<String> api(KeyholdModule module) {
        List<String> lines = new ArrayList<>();
        Set<String> packages = module.exportedPackages();
        for (String name : module.classNames()) {
            if (packages.contains(name.substring(0, name.lastIndexOf('.'))) && isVisible(name)) {
                javap(module, name)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.startsWith("Compiled from ") && !line.equals("}"))
                        .filter(line -> module != KeyholdModule.TESTKIT || !line.startsWith(TEST_OF_A_CONTRACT))
                        // Before JDK 25, a type behind a type variable in a throws clause is written with slashes.
                        .map(line ->
                                name + ": " + line.replaceFirst(" \\{$", "").replace('/', '.'))
                        .forEach(lines::add);
            }
        }
        return lines;
    }

    private static String javap(KeyholdModule module, String type) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        int status = ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(out, out, "-protected", "-classpath", module.location().toString(), type);
        assertThat(status).as(() -> "javap: " + text).isZero();
        return text.toString();
    }

    private static boolean isVisible(String name) {
        try {
            Class<?> type = Class.forName(name, false, PublicApiTest.class.getClassLoader());
            while (type != null && (type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0) {
                type = type.getEnclosingClass();
            }
            return type == null;
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(name + " is in the module and cannot be loaded", e);
        }
    }

    private static List<String> difference(List<String> reviewed, List<String> actual) {
        return Stream.concat(
                        reviewed.stream().filter(line -> !actual.contains(line)).map(line -> "- " + line),
                        actual.stream().filter(line -> !reviewed.contains(line)).map(line -> "+ " + line))
                .toList();
    }
}
