package io.keyhold.benchmarks;

import io.keyhold.benchmarks.jmh.JmhRun;
import io.keyhold.benchmarks.report.Environment;
import io.keyhold.benchmarks.report.Report;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The command. Ends with 1 when mutual exclusion was broken or a lease was lost, and with 2 when it was not understood. */
public final class Main {
    private static final int FAULTS = 1;
    private static final int MISUNDERSTOOD = 2;

    /** Set by the script, which can tell whether the output is a terminal; Java cannot on every version. */
    private static final String TERMINAL = "keyhold.benchmarks.terminal";

    private Main() {}

    /** Runs what the arguments say. */
    public static void main(String[] words) throws Exception {
        Arguments arguments;
        try {
            arguments = ArgumentParser.parse(words);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println("./benchmark --help tells more.");
            System.exit(MISUNDERSTOOD);
            return;
        }
        switch (arguments.task()) {
            case HELP -> System.out.print(Arguments.USAGE);
            case JMH -> JmhRun.run(arguments.output());
            case COMPARE -> System.exit(compare(arguments));
        }
    }

    private static int compare(Arguments arguments) throws IOException, InterruptedException {
        Path output = arguments.output().toAbsolutePath();
        Files.createDirectories(output);
        Path log = output.resolve("worker.log");
        Files.deleteIfExists(log);
        PrintStream terminal = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (RedisServer server = RedisServer.open(arguments.redis())) {
            Progress progress =
                    new Progress(terminal, Boolean.getBoolean(TERMINAL), Plan.seconds(arguments), System::nanoTime);
            Benchmark benchmark = new Benchmark(arguments, server, log, progress);
            Report report = new Report(
                    benchmark.run(),
                    Environment.current(server.version(), WorkerProcess.jvmOptions()),
                    arguments.effort());
            report.write(output);
            progress.note("");
            report.goals()
                    .forEach(goal ->
                            progress.note(goal.verdict().text() + ": " + goal.text() + " (" + goal.measured() + ")"));
            progress.note("");
            progress.note(output.resolve("results.md").toString());
            progress.note(output.resolve("results.html").toString());
            return report.faults() == 0 ? 0 : FAULTS;
        }
    }
}
