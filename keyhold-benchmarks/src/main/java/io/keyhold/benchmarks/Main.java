package io.keyhold.benchmarks;

import io.keyhold.benchmarks.failover.Failovers;
import io.keyhold.benchmarks.jmh.JmhRun;
import io.keyhold.benchmarks.report.Environment;
import io.keyhold.benchmarks.report.Goal;
import io.keyhold.benchmarks.report.Report;
import io.keyhold.benchmarks.report.StolenTime;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/** The command. Exits with 1 if mutual exclusion was violated or a lease was lost, and with 2 on a wrong command line. */
public final class Main {
    private static final int FAULTS = 1;
    private static final int USAGE = 2;

    /** Set by the script, which knows whether the output is a terminal; not every Java version can tell. */
    private static final String TERMINAL = "keyhold.benchmarks.terminal";

    private Main() {}

    /** Runs the benchmark. */
    public static void main(String[] words) throws Exception {
        Arguments arguments;
        try {
            arguments = Arguments.parse(words);
        } catch (CommandLine.ParameterException e) {
            System.err.println(e.getMessage());
            System.err.println("See ./benchmark --help");
            System.exit(USAGE);
            return;
        }
        if (arguments.isHelp()) {
            CommandLine.usage(arguments, System.out);
        } else if (arguments.isJmh()) {
            JmhRun.run(arguments.output());
        } else if (arguments.failovers().isPresent()) {
            Failovers.run(arguments.failovers().get(), new PrintStream(System.out, true, StandardCharsets.UTF_8));
        } else {
            System.exit(compare(arguments));
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
            StolenTime stolen = new StolenTime();
            Benchmark benchmark = new Benchmark(arguments, server, log, progress);
            Report report = new Report(
                    benchmark.run(),
                    Environment.current(server.version(), WorkerProcess.JVM_OPTIONS, stolen),
                    arguments.effort());
            report.write(output);
            progress.note("");
            report.goals().stream()
                    .filter(goal -> goal.verdict() != Goal.Verdict.NOT_MEASURED)
                    .forEach(goal ->
                            progress.note(goal.verdict().text() + ": " + goal.text() + " (" + goal.measured() + ")"));
            progress.note("");
            progress.note(output.resolve("results.md").toString());
            progress.note(output.resolve("results.json").toString());
            return report.faults() == 0 ? 0 : FAULTS;
        }
    }
}
