package io.keyhold.cli;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command under a lock, permits of a semaphore, or a side of a read/write lock. */
@Command(
        description = "Runs a command while holding a lock.",
        customSynopsis = "keyhold run KEY... [OPTIONS] [--] COMMAND...",
        footerHeading =
                "%nThe command gets KEYHOLD_KEY, KEYHOLD_TOKEN and KEYHOLD_FENCE in its environment; keyhold exits"
                        + " with the command's exit code, or with 201 busy, 202 timed out, 203 lost, 204 no server, 64 wrong"
                        + " use.%n%nExamples:%n",
        footer = {
            "  keyhold run nightly-report -- ./report.sh --all",
            "  keyhold run deploy --no-wait -- ./deploy.sh",
            "  keyhold run gpu --of 4 --wait 10m -- ./train.py",
            "  keyhold run account:1 account:2 -- ./transfer.sh",
            "  keyhold run backup -c 'tar cz /srv | ssh vault store'",
        })
final class RunCommand extends CommandUnderLock {

    @Mixin
    private AcquireOptions acquire = new AcquireOptions();

    @Option(
            names = "--on-lost",
            paramLabel = "ACTION",
            description =
                    "What to do when the lock is lost: kill (the command and every process it started) or warn. Default:"
                            + " kill.")
    private String onLost = "kill";

    @Parameters(
            arity = "1..*",
            paramLabel = "KEY",
            description = "The key of the lock; several keys are acquired all or none.")
    private List<String> parameters = List.of();

    @Override
    public Integer call() throws InterruptedException {
        return run(parameters, acquire, kills());
    }

    private boolean kills() {
        return switch (onLost.toLowerCase(Locale.ROOT)) {
            case "kill" -> true;
            case "warn" -> false;
            default -> throw new CliException(ExitCode.USAGE, "--on-lost must be kill or warn, was '" + onLost + "'");
        };
    }
}
