package io.keyhold.cli;

import io.keyhold.cli.demo.Demo;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs contending processes, and proves that the locks excluded them. */
@Command(
        description = {
            "Demonstrates a lock and a semaphore under contention, and proves that they hold.",
            "Several processes contend, and one of them is killed. Starts its own server. Exits with 1 if it is stopped before"
                    + " everything is proved, and with 2 if the proof fails."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  keyhold demo", "  keyhold demo --seconds 60 --workers 8", "  keyhold demo | tail -n 1"})
final class DemoCommand implements Callable<Integer> {

    private static final int LEAST_SECONDS = 3;
    private static final int MOST_SECONDS = 3_600;
    private static final int LEAST_WORKERS = 3;
    private static final int MOST_WORKERS = 32;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--seconds", paramLabel = "N", description = "How long to run, from 3 to 3600. Default: 15.")
    private int seconds = 15;

    @Option(names = "--workers", paramLabel = "N", description = "The number of workers, from 3 to 32. Default: 4.")
    private int workers = 4;

    @Option(
            names = "--cheat",
            hidden = true,
            description = "The last worker ignores the locks, so the proof must fail.")
    private boolean cheat;

    @Option(
            names = "--lease",
            hidden = true,
            converter = Durations.class,
            description = "The lease of the workers, for busy machines on which a worker may pause for seconds.")
    private @Nullable Duration lease;

    @Mixin
    @SuppressWarnings("unused") // Read by picocli.
    private HelpOptions help = new HelpOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--seconds", seconds, LEAST_SECONDS, MOST_SECONDS);
        check("--workers", workers, LEAST_WORKERS, MOST_WORKERS);
        Demo.Settings settings = new Demo.Settings(seconds, workers, lease(), Terminal.drawing(), cheat);
        return switch (Demo.run(settings)) {
            case PROVED -> ExitCode.OK;
            case ENDED_EARLY -> ExitCode.NO;
            case NOT_PROVED -> ExitCode.DANGER;
        };
    }

    /** Short enough that the lock of the killed worker is free again before the end. */
    private Duration lease() {
        return lease != null ? lease : Duration.ofSeconds(seconds < 10 ? 2 : 3);
    }

    private void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), option + " must be from " + least + " to " + most + ", was " + value);
        }
    }
}
