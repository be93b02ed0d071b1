package io.keyhold.spec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tlc2.TLC;

/**
 * Runs TLC on a model. In a JVM of its own, because TLC keeps what it knows in static fields and ends its JVM; in a directory of its
 * own, with copies of the model, because it writes beside what it reads, and unpacks its own modules where temporary files go.
 */
final class Tlc {

    private static final int SHOWN = 30_000;

    private final Path work;

    /** {@code work} is the directory below which it may write. */
    Tlc(Path work) {
        this.work = work;
    }

    /**
     * What TLC said.
     *
     * @param text its verdict, without the word "Error"
     * @param output everything, with the trace that leads to an error
     */
    record Verdict(String text, String output) {

        static final String NO_ERROR = "No error has been found.";

        private static final String ERROR = "Error: ";

        static Verdict of(String output) {
            String text = output.lines()
                    .filter(line -> line.startsWith(ERROR))
                    .findFirst()
                    .map(line -> line.substring(ERROR.length()).strip())
                    .orElse(output.contains("Model checking completed. " + NO_ERROR) ? NO_ERROR : "TLC came to no end");
            return new Verdict(text, output);
        }

        /** The end of the output, where the trace is. */
        @Override
        public String toString() {
            return text + "\n" + output.substring(Math.max(0, output.length() - SHOWN));
        }
    }

    Verdict check(Model model) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(work.resolve(model.name())).toAbsolutePath();
        Path module = copy(model.module(), directory);
        Path configuration = copy(model.configuration(), directory);
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx2g",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        jar().toString(),
                        TLC.class.getName(),
                        // A state without further requests is no deadlock.
                        "-deadlock",
                        // One worker finds the shortest trace, and with this hash function always the same.
                        "-workers",
                        "1",
                        "-fp",
                        "0",
                        "-metadir",
                        directory.resolve("states").toString(),
                        "-config",
                        configuration.toString(),
                        module.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        return Verdict.of(Files.readString(output, UTF_8));
    }

    /** Returns its name alone: TLC runs in the directory of the copy. */
    private static Path copy(Path file, Path directory) throws IOException {
        Path name = requireNonNull(file.getFileName());
        Files.copy(file, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        return name;
    }

    private static Path jar() {
        try {
            return Path.of(TLC.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("where is " + TLC.class + "?", e);
        }
    }
}
