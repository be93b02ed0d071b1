package io.keyhold.tests.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of Java from the documentation, made into a class.
 *
 * @param place file and line of the block
 * @param className the class to load
 * @param source the whole source
 * @param shift the difference between line numbers of the page and of the source
 */
record Snippet(String place, String className, String source, int shift) {

    private static final Pattern IMPORT = Pattern.compile("\\s*(import\\s.*;|package\\s.*;|//.*)?\\s*");
    private static final Pattern PACKAGE = Pattern.compile("package\\s+([\\w.]+)\\s*;.*");
    private static final Pattern TYPE = Pattern.compile(
            "(public |final |abstract |sealed |non-sealed )*(class|interface|enum|record|@interface) (\\w+)");

    private static final String IMPORTS = """
            import static java.time.Duration.*; import static java.util.concurrent.TimeUnit.*; \
            import io.keyhold.*; import io.keyhold.inspect.*; import io.keyhold.embedded.*; import io.keyhold.jedis.*; \
            import io.keyhold.lettuce.*; \
            import java.time.*; import java.util.*; import java.util.concurrent.*; \
            import java.util.concurrent.locks.Lock; import java.util.function.*;""";

    /**
     * A block that starts with a package, imports, or {@code public}, and then declares a type, is a whole file. Any
     * other goes, after its imports, into a method of a subclass of {@link SnippetPrelude}.
     */
    static Snippet of(String page, Page.Block block) {
        List<String> head = block.code().stream()
                .takeWhile(line -> IMPORT.matcher(line).matches())
                .toList();
        List<String> rest = block.code().subList(head.size(), block.code().size());
        String place = page + ":" + block.line();
        Matcher type = TYPE.matcher(firstCode(rest));
        boolean hasImports = head.stream().anyMatch(line -> !line.isBlank() && !line.startsWith("//"));
        if (type.lookingAt() && (hasImports || type.group().startsWith("public "))) {
            String name = packageOf(head) + type.group(3);
            return new Snippet(place, name, String.join("\n", block.code()) + "\n", block.line() - 1);
        }
        return wrapped(place, block, head, rest);
    }

    private static String packageOf(List<String> head) {
        return head.stream()
                .map(PACKAGE::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1) + ".")
                .findFirst()
                .orElse("");
    }

    private static Snippet wrapped(String place, Page.Block block, List<String> head, List<String> rest) {
        String name = "Snippet_" + place.replaceAll("\\W", "_");
        String beginning = "public class " + name + " extends " + SnippetPrelude.class.getName()
                + " { @Override protected void snippet() throws Exception { ";
        // One line above the block's first, and none between its lines: so all have the same distance to the page.
        List<String> lines = new ArrayList<>();
        lines.add(IMPORTS);
        lines.addAll(head);
        lines.add(beginning + String.join("\n", rest));
        lines.add("} }");
        return new Snippet(place, name, String.join("\n", lines) + "\n", block.line() - 2);
    }

    /** The first line that is code, skipping annotations and comments. */
    private static String firstCode(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isBlank() && !line.matches("\\s*(@(?!interface)|//|/?\\*).*"))
                .findFirst()
                .orElse("");
    }

    /** The same with one text replaced by another. */
    Snippet with(String text, String replacement) {
        return new Snippet(place, className, source.replace(text, replacement), shift);
    }

    /** The line in the page of a line in the source. */
    long lineInPage(long lineInSource) {
        return lineInSource + shift;
    }

    @Override
    public String toString() {
        return place;
    }
}
