package io.keyhold.benchmarks.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the benchmarks of this package. */
public final class JmhRun {
    private JmhRun() {}

    /** Prints JMH's progress, and writes {@code jmh.json} to the directory. */
    public static void run(Path output) throws IOException, RunnerException {
        Files.createDirectories(output);
        new Runner(new OptionsBuilder()
                        .include(JmhRun.class.getPackageName().replace(".", "\\."))
                        .resultFormat(ResultFormatType.JSON)
                        .result(output.resolve("jmh.json").toString())
                        .build())
                .run();
    }
}
