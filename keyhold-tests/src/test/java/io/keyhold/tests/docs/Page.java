package io.keyhold.tests.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One page of documentation, in Markdown. Lines are counted from 1. */
final class Page {

    private static final Pattern FENCE = Pattern.compile("^( *)(```+|~~~+)\\s*([A-Za-z0-9_-]*).*");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?) *#*$");
    private static final Pattern LINK = Pattern.compile(
            "\\]\\(<?([^)\\s>]+)>?(?: +\"[^\"]*\")?\\)|^ {0,3}\\[[^\\]]+\\]: +(\\S+)|(?:src|href)=\"([^\"]+)\"");

    private final Path root;
    private final Path file;
    private final List<Block> blocks = new ArrayList<>();
    private final List<Line> prose = new ArrayList<>();

    /**
     * A fenced block of code.
     *
     * @param language the word after the fence
     * @param line the number of its first line of code
     * @param code the lines between the fences
     */
    record Block(String language, int line, List<String> code) {}

    /** A line outside of such blocks. */
    private record Line(int number, String text) {}

    /**
     * A link to something else than another site.
     *
     * @param line its line number
     * @param target as it is written
     */
    record Link(int line, String target) {}

    /** A page of the project at this root. */
    Page(Path root, Path file) {
        this.root = root;
        this.file = file;
        read(readLines(file));
    }

    /** The pages that users read: those at the top, and those below docs. */
    static List<Page> all(Path root) {
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs =
                        Files.isDirectory(root.resolve("docs")) ? Files.walk(root.resolve("docs")) : Stream.empty()) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(file -> new Page(root, file))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> readLines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private void read(List<String> lines) {
        int i = 0;
        while (i < lines.size()) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                prose.add(new Line(i + 1, lines.get(i)));
                i++;
                continue;
            }
            int start = i + 1;
            List<String> code = new ArrayList<>();
            for (i = start; i < lines.size() && !lines.get(i).strip().equals(fence.group(2)); i++) {
                code.add(withoutIndent(lines.get(i), fence.group(1).length()));
            }
            blocks.add(new Block(fence.group(3).toLowerCase(Locale.ROOT), start + 1, code));
            i++;
        }
    }

    private static String withoutIndent(String line, int indent) {
        int spaces = 0;
        while (spaces < indent && spaces < line.length() && line.charAt(spaces) == ' ') {
            spaces++;
        }
        return line.substring(spaces);
    }

    /** The name of its file, from the root of the project. */
    String name() {
        return root.relativize(file).toString();
    }

    /** Its blocks of Java. */
    List<Block> java() {
        return blocks.stream().filter(block -> block.language().equals("java")).toList();
    }

    /** Its links that stay inside the project. */
    List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (Line line : prose) {
            Matcher matcher = LINK.matcher(line.text().replaceAll("`[^`]*`", ""));
            while (matcher.find()) {
                Stream.of(1, 2, 3)
                        .flatMap(group -> Stream.ofNullable(matcher.group(group)))
                        .filter(target -> !target.matches("[a-z]+:.*"))
                        .forEach(target -> links.add(new Link(line.number(), target)));
            }
        }
        return links;
    }

    /** What is wrong with a link of this page, if something is. */
    Optional<String> fault(Link link) {
        String[] parts = link.target().split("#", 2);
        Path target = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]).normalize();
        String place = name() + ":" + link.line() + ": the link " + link.target();
        if (!target.startsWith(root) || !Files.exists(target)) {
            return Optional.of(place + " leads to no file");
        }
        boolean toHeading = parts.length == 2 && target.toString().endsWith(".md");
        if (toHeading && !new Page(root, target).anchors().contains(parts[1])) {
            return Optional.of(place + " leads to no heading");
        }
        return Optional.empty();
    }

    /** The names by which its headings can be linked to. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        for (Line line : prose) {
            Matcher heading = HEADING.matcher(line.text());
            if (heading.matches()) {
                String anchor = heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
                for (int again = 1; !anchors.add(anchor); again++) {
                    anchor = anchor.replaceFirst("(-\\d+)?$", "-" + again);
                }
            }
        }
        return anchors;
    }

    @Override
    public String toString() {
        return name();
    }
}
