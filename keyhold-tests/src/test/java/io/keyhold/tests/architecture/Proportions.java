package io.keyhold.tests.architecture;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Finds Java files and methods that are too long, methods with too many parameters, and imports of whole packages. */
final class Proportions {

    private static final int LONGEST_FILE = 500;
    private static final int LONGEST_METHOD = 50;
    private static final int MOST_PARAMETERS = 7;

    /** One state machine, which would be harder to read in several files. */
    private static final Set<Path> LONG_FILES = Set.of(Path.of("engine", "acquire", "Acquisition.java"));

    private final List<String> findings = new ArrayList<>();

    private Proportions() {}

    /** Returns what is found in these files. */
    static List<String> findings(List<Path> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Proportions proportions = new Proportions();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                proportions.read(unit, positions);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return proportions.findings;
    }

    private void read(CompilationUnitTree unit, SourcePositions positions) throws IOException {
        Path file = Path.of(unit.getSourceFile().toUri());
        List<String> lines =
                unit.getSourceFile().getCharContent(false).toString().lines().toList();
        if (lines.size() > LONGEST_FILE && LONG_FILES.stream().noneMatch(file::endsWith)) {
            findings.add(file + " has " + lines.size() + " lines, more than " + LONGEST_FILE);
        }
        unit.getImports().stream()
                .map(ImportTree::getQualifiedIdentifier)
                .filter(name -> name.toString().endsWith("*"))
                .forEach(name -> findings.add(file + " imports " + name));
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
                BlockTree body = method.getBody();
                int length = body == null
                        ? 0
                        : length(lines.subList(
                                line(positions.getStartPosition(unit, body)),
                                line(positions.getEndPosition(unit, body)) + 1));
                check(method.getName() + " has", length, "lines", LONGEST_METHOD);
                check(method.getName() + " has", method.getParameters().size(), "parameters", mostParameters(method));
                return super.visitMethod(method, null);
            }

            private void check(String what, int value, String unitOfValue, int most) {
                if (value > most) {
                    findings.add(file + ": " + what + " " + value + " " + unitOfValue + ", more than " + most);
                }
            }

            private int line(long position) {
                return (int) unit.getLineMap().getLineNumber(position) - 1;
            }
        }.scan(unit, null);
    }

    /** A constructor may have more: a record of ten values is no method that is called with ten arguments. */
    private static int mostParameters(MethodTree method) {
        return method.getReturnType() == null ? Integer.MAX_VALUE : MOST_PARAMETERS;
    }

    /** Without blank lines and comments. */
    private static int length(List<String> lines) {
        return (int) lines.stream()
                .map(String::strip)
                .filter(line ->
                        !line.isEmpty() && !line.startsWith("//") && !line.startsWith("*") && !line.startsWith("/*"))
                .count();
    }
}
