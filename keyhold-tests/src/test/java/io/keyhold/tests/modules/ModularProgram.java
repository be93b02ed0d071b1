package io.keyhold.tests.modules;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A program that is a module: {@code app}, with one class {@code app.Main}. */
final class ModularProgram {

    private final Path directory;
    private final String modulePath;

    /** In this empty directory, with these modules beside it. */
    ModularProgram(Path directory, List<Path> modules) {
        this.directory = directory;
        this.modulePath = modules.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Compiles it; returns the errors of the compiler. */
    Optional<String> compile(String moduleInfo, String main) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("sources"));
        List<Path> files = List.of(sources.resolve("module-info.java"), sources.resolve("Main.java"));
        Files.writeString(files.get(0), moduleInfo);
        Files.writeString(files.get(1), main);
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
        StringWriter output = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, Locale.ROOT, UTF_8)) {
            List<String> options =
                    List.of("-proc:none", "-d", classes().toString(), "--module-path", modulePath, "--release", "17");
            boolean compiled = compiler.getTask(
                            output, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            return compiled ? Optional.empty() : Optional.of(output.toString());
        }
    }

    /** Runs it to its end in its own JVM; returns its output. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                "--module-path",
                modulePath + File.pathSeparator + classes(),
                "--module",
                "app/app.Main"));
        command.addAll(Arrays.asList(arguments));
        Path output = directory.resolve("output.txt");
        Path errors = directory.resolve("errors.txt");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            if (!process.waitFor(150, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("the program did not end well:\n" + Files.readString(errors));
            }
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    private Path classes() {
        return directory.resolve("classes");
    }
}
