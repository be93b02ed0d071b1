package io.keyhold.spec;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A module and one of its configurations: {@code Queue-blind-release.cfg} is one of {@code Queue.tla}. Two comments in it are for
 * these tests: what TLC has to say about it ({@code \* Expected: ...}), and {@code \* Nightly} if it takes long.
 *
 * @param module the file of the module
 * @param configuration the file of the configuration
 * @param expected what TLC has to say
 * @param nightly whether it takes long
 */
record Model(Path module, Path configuration, String expected, boolean nightly) {

    private static final Pattern EXPECTED = Pattern.compile("(?m)^\\\\\\* Expected: (.+)$");
    private static final Pattern NIGHTLY = Pattern.compile("(?m)^\\\\\\* Nightly$");

    /** All of this directory. */
    static List<Model> in(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".cfg"))
                    .sorted()
                    .map(Model::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Model of(Path configuration) {
        String text;
        try {
            text = Files.readString(configuration);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Matcher expected = EXPECTED.matcher(text);
        if (!expected.find()) {
            throw new IllegalStateException(
                    configuration + " needs a line '\\* Expected: ...' with what TLC has to say");
        }
        String module = name(configuration).replaceFirst("-.*", "") + ".tla";
        return new Model(
                configuration.resolveSibling(module),
                configuration,
                requireNonNull(expected.group(1)).strip(),
                NIGHTLY.matcher(text).find());
    }

    boolean holds() {
        return expected.equals(Tlc.Verdict.NO_ERROR);
    }

    String name() {
        return name(configuration);
    }

    private static String name(Path configuration) {
        return requireNonNull(configuration.getFileName()).toString().replaceFirst("\\.cfg$", "");
    }

    @Override
    public String toString() {
        return name() + ": " + expected;
    }
}
