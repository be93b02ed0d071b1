package io.keyhold.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.tests.modules.KeyholdModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the compiler does not see in the sources. */
final class TidyTest {

    private final SourceTree sources = new SourceTree(KeyholdModule.root());

    @Test
    void everyModuleIsUnderTheseTests() {
        assertThat(sources.modules())
                .as("modules with published sources; a new one belongs into KeyholdModule")
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(KeyholdModule.values())
                        .map(KeyholdModule::artifact)
                        .toList());
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(sources.packagesNotNullMarked()).isEmpty();
    }

    /** The formatter owns layout, Error Prone owns bugs, {@link ArchitectureTest} owns the map. */
    @Test
    void filesAndMethodsAreShort() {
        assertThat(sources.outOfProportion()).isEmpty();
    }

    @Test
    void nothingIsLeftForLater() {
        assertThat(sources.unfinished()).isEmpty();
    }

    @Test
    void everyScriptHasItsContract() {
        assertThat(sources.scripts()).as("scripts").isNotEmpty();
        assertThat(sources.scriptsWithoutContract()).isEmpty();
    }

    /** The same searches in an untidy tree. */
    @Nested
    final class Untidy {

        @TempDir
        Path root = Path.of("");

        @Test
        void moduleThatIsNotDeployedIsNotPublished() throws IOException {
            write("keyhold-x/src/main/java/a/A.java", "package a; class A {}");
            write("keyhold-x/pom.xml", "<project/>");
            write("keyhold-y/src/main/java/a/A.java", "package a; class A {}");
            write("keyhold-y/pom.xml", "<project>\n<maven.deploy.skip>true</maven.deploy.skip>\n</project>");
            assertThat(new SourceTree(root).modules()).containsExactly("keyhold-x");
        }

        @Test
        void packageWithoutPackageInfo() throws IOException {
            write("keyhold-x/src/main/java/a/A.java", "package a; class A {}");
            assertThat(new SourceTree(root).packagesNotNullMarked())
                    .singleElement()
                    .asString()
                    .startsWith("keyhold-x/src/main/java/a: needs");
        }

        @Test
        void packageNotNullMarked() throws IOException {
            write("keyhold-x/src/main/java/a/A.java", "package a; class A {}");
            write("keyhold-x/src/main/java/a/package-info.java", "/** No @NullMarked. */\npackage a;");
            assertThat(new SourceTree(root).packagesNotNullMarked()).hasSize(1);
        }

        @Test
        void filesAndMethodsOutOfProportion() throws IOException {
            String statement = "        run();\n";
            write("keyhold-x/src/main/java/a/Long.java", "package a;\n" + "// A line.\n".repeat(500) + "class Long {}");
            write(
                    "keyhold-x/src/test/java/a/Methods.java",
                    "package a;\nimport java.util.*;\nclass Methods {\n    void good() {\n"
                            + (statement + "\n        // Why.\n").repeat(48)
                            + "    }\n    void bad() {\n" + statement.repeat(49) + "    }\n"
                            + "    void many(int a, int b, int c, int d, int e, int f, int g, int h) {}\n"
                            + "    Methods(int a, int b, int c, int d, int e, int f, int g, int h) {}\n}\n");
            assertThat(new SourceTree(root).outOfProportion())
                    .hasSize(4)
                    .anyMatch(finding -> finding.endsWith("Long.java has 502 lines, more than 500"))
                    .anyMatch(finding -> finding.endsWith("Methods.java imports java.util.*"))
                    .anyMatch(finding -> finding.endsWith("Methods.java: bad has 51 lines, more than 50"))
                    .anyMatch(finding -> finding.endsWith("Methods.java: many has 8 parameters, more than 7"));
        }

        @Test
        void unfinishedLine() throws IOException {
            write("keyhold-x/src/test/java/a/A.java", "package a;\n// TO" + "DO more\nclass A {}");
            assertThat(new SourceTree(root).unfinished())
                    .singleElement()
                    .asString()
                    .startsWith("keyhold-x/src/test/java/a/A.java:2: ");
        }

        @Test
        void scriptWithoutContract() throws IOException {
            write("keyhold-x/src/main/resources/a.lua", "-- KEYS lock\nreturn 1 -- Reply, Atomic");
            assertThat(new SourceTree(root).scriptsWithoutContract())
                    .hasSize(3)
                    .anyMatch(finding -> finding.contains("'-- ARGV'"))
                    .anyMatch(finding -> finding.contains("'-- Reply'"))
                    .anyMatch(finding -> finding.contains("'Atomic'"));
        }

        private void write(String file, String text) throws IOException {
            Files.createDirectories(root.resolve(file).getParent());
            Files.writeString(root.resolve(file), text);
        }
    }
}
