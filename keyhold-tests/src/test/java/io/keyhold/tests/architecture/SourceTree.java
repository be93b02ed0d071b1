package io.keyhold.tests.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Searches the sources below the root of a repository. Every method returns a list of findings, empty if there are none. */
final class SourceTree {

    private static final String PART_OF_A_SCRIPT = "-- Part of other scripts: ";

    // In two parts, so that this file is not a finding.
    private static final Pattern LEFT_FOR_LATER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");
    private static final Set<String> TEXT = Set.of("java", "kt", "lua", "js", "json", "md", "properties", "xml", "txt");

    private final Path root;

    SourceTree(Path root) {
        this.root = root;
    }

    /**
     * The names of the directories that have published sources: {@code keyhold-*} with {@code src/main/java}, unless its
     * pom says that it is not deployed.
     */
    Set<String> modules() {
        return moduleDirectories()
                .filter(module -> Files.isDirectory(module.resolve("src/main/java")))
                .filter(module -> !isKeptAtHome(module.resolve("pom.xml")))
                .map(module -> module.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isKeptAtHome(Path pom) {
        return Files.exists(pom)
                && lines(pom).stream().anyMatch(line -> line.contains("<maven.deploy.skip>true</maven.deploy.skip>"));
    }

    /** Packages whose package-info is missing or is not {@code @NullMarked}. */
    List<String> packagesNotNullMarked() {
        return files("src/main/java", file -> file.toString().endsWith(".java"))
                .filter(file -> !file.endsWith("module-info.java"))
                .map(Path::getParent)
                .distinct()
                .filter(directory -> !isNullMarked(directory.resolve("package-info.java")))
                .map(directory -> root.relativize(directory) + ": needs a package-info.java with @NullMarked")
                .toList();
    }

    private static boolean isNullMarked(Path packageInfo) {
        return Files.exists(packageInfo) && lines(packageInfo).contains("@NullMarked");
    }

    /** Files and methods without a sense of proportion. */
    List<String> outOfProportion() {
        return Stream.of("src/main/java", "src/test/java")
                .flatMap(below -> files(below, file -> file.toString().endsWith(".java")))
                .collect(Collectors.collectingAndThen(Collectors.toList(), Proportions::findings));
    }

    /** Lines that say that something is not finished. */
    List<String> unfinished() {
        return files("src", SourceTree::isText)
                .flatMap(file -> linesWith(file, LEFT_FOR_LATER))
                .toList();
    }

    private static boolean isText(Path file) {
        String name = file.getFileName().toString();
        return TEXT.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    private Stream<String> linesWith(Path file, Pattern pattern) {
        List<String> lines = lines(file);
        return Stream.iterate(0, i -> i + 1)
                .limit(lines.size())
                .filter(i -> pattern.matcher(lines.get(i)).find())
                .map(i -> root.relativize(file) + ":" + (i + 1) + ": "
                        + lines.get(i).strip());
    }

    /** Returns scripts whose header lacks the keys, the arguments, the reply, or why they must be atomic. */
    List<String> scriptsWithoutContract() {
        return scripts().flatMap(this::missingInScript).toList();
    }

    /** The scripts on the server, and their parts. */
    Stream<Path> scripts() {
        return files("src/main/resources", file -> file.toString().endsWith(".lua"));
    }

    private Stream<String> missingInScript(Path script) {
        List<String> header =
                lines(script).stream().takeWhile(line -> line.startsWith("--")).toList();
        if (header.stream().limit(1).anyMatch(line -> line.startsWith(PART_OF_A_SCRIPT))) {
            return Stream.of("It needs these of the script around it: ")
                    .filter(words -> header.stream().noneMatch(line -> line.contains(words)))
                    .map(words -> root.relativize(script) + ": its header needs the words '" + words + "'");
        }
        Stream<String> headings = Stream.of("-- KEYS", "-- ARGV", "-- Reply")
                .filter(heading -> header.stream().noneMatch(line -> line.startsWith(heading)))
                .map(heading -> "a line that starts with '" + heading + "'");
        Stream<String> reason = Stream.of("a sentence with 'Atomic'")
                .filter(any -> header.stream().noneMatch(line -> line.contains("Atomic")));
        return Stream.concat(headings, reason)
                .map(missing -> root.relativize(script) + ": its header needs " + missing);
    }

    private Stream<Path> files(String below, Predicate<Path> wanted) {
        return moduleDirectories()
                .map(module -> module.resolve(below))
                .filter(Files::isDirectory)
                .flatMap(SourceTree::walk)
                .filter(wanted);
    }

    private Stream<Path> moduleDirectories() {
        try (Stream<Path> children = Files.list(root)) {
            return children
                    .filter(child -> child.getFileName().toString().startsWith("keyhold-"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> walk(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }
}
