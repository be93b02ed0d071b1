package io.keyhold.tests.modules;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The class path that this test run has. */
public final class ClassPath {

    private ClassPath() {}

    /** Its entries. */
    public static List<Path> entries() {
        return Arrays.stream(text().split(File.pathSeparator)).map(Path::of).toList();
    }

    /** As an option of javac or java. */
    public static String text() {
        return System.getProperty("java.class.path", "");
    }

    /** The entries whose file name starts with one of these. Each of them must be there. */
    static List<Path> jars(List<String> names) {
        return names.stream()
                .flatMap(name -> {
                    List<Path> found = entries().stream()
                            .filter(entry -> entry.getFileName().toString().matches(name + "-\\d.*\\.jar"))
                            .toList();
                    if (found.isEmpty()) {
                        throw new IllegalStateException("no jar " + name + " on the class path: " + text());
                    }
                    return found.stream();
                })
                .toList();
    }
}
