package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Holds a lock while the launcher runs a command. */
@Command(
        description = "Runs a command while holding a lock.",
        customSynopsis = "keyhold run KEY... [OPTIONS] -- COMMAND...",
        footerHeading =
                "%nThe command gets KEYHOLD_KEY, KEYHOLD_TOKEN and KEYHOLD_FENCE in its environment; keyhold exits"
                        + " with the command's exit code, or with 201 busy, 202 timed out, 203 lost, 204 no server, 64 wrong"
                        + " use.%n%nExamples:%n",
        footer = {
            "  keyhold run nightly-report -- ./report.sh --all",
            "  keyhold run deploy --no-wait -- ./deploy.sh",
            "  keyhold run gpu --of 4 --wait 10m -- ./train.py",
            "  keyhold run account:1 account:2 -- ./transfer.sh",
        })
final class RunCommand implements Callable<Integer> {

    static final String MISSING_SEPARATOR = "put -- before the command";

    private static final String SYNOPSIS = ": keyhold run KEY... [OPTIONS] -- COMMAND...";

    /** Null if {@link FastRunParser} parsed the command line. */
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    CommonOptions common = new CommonOptions();

    @Mixin
    AcquireOptions acquire = new AcquireOptions();

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            description =
                    "How long the lock stays held if this machine vanishes; renewed at a third of it. At least 1s."
                            + " Default: 30s.")
    @Nullable
    Duration lease;

    @Option(
            names = "--label",
            paramLabel = "NAME",
            description = "The holder's name for operators: letters, digits and ._- Default: the command's name.")
    @Nullable
    String label;

    @Option(
            names = "--on-lost",
            paramLabel = "ACTION",
            description =
                    "What to do when the lock is lost: kill (the command and every process it started) or warn. Default:"
                            + " kill.")
    String onLost = "kill";

    @Option(
            names = "--kill-grace",
            paramLabel = "DURATION",
            converter = Durations.class,
            description =
                    "Time between TERM and KILL when the lock is lost; at most a third of the lease. Default: 5s, or that"
                            + " third.")
    @Nullable
    Duration killGrace;

    @Parameters(
            arity = "1..*",
            paramLabel = "KEY",
            description = "The key of the lock; several keys are acquired all or none.")
    private List<String> parameters = List.of();

    @Override
    public Integer call() throws InterruptedException {
        List<String> all = Objects.requireNonNull(spec)
                .root()
                .commandLine()
                .getParseResult()
                .originalArgs();
        int separator = all.indexOf("--");
        if (separator < 0 && parameters.size() > 1) {
            throw new CliException(ExitCode.USAGE, MISSING_SEPARATOR + SYNOPSIS);
        }
        List<String> command = separator < 0 ? List.of() : all.subList(separator + 1, all.size());
        return run(parameters.subList(0, parameters.size() - command.size()), command);
    }

    /** Holds the locks of these keys while the launcher runs the command. */
    int run(List<String> keys, List<String> command) throws InterruptedException {
        if (keys.isEmpty() || command.isEmpty()) {
            throw new CliException(ExitCode.USAGE, (keys.isEmpty() ? "missing key" : "missing command") + SYNOPSIS);
        }
        acquire.check(keys);
        boolean kills = kills();
        RunTimes times = RunTimes.of(lease, killGrace);
        LauncherChannel launcher = LauncherChannel.open()
                .orElseThrow(
                        () -> new CliException(ExitCode.USAGE, "run needs the launcher: call ./keyhold, not the jar"));
        Keyhold keyhold = common.connection().client(label != null ? label : labelOf(command.get(0)));
        launcher.forwardSignals();
        AbortOnExit abort = AbortOnExit.ofLauncher(launcher, keyhold);
        Lease acquired;
        try {
            acquired = acquire.acquire(keyhold, keys, times.lease(), true);
        } catch (KeyholdClosedException launcherEnded) {
            abort.awaitClosed();
            return ExitCode.NO;
        }
        abort.acquired();
        sendLease(launcher, acquired, keys, command.size());
        launcher.send("grace", kills ? RunTimes.seconds(times.grace()) : "none");
        // Only the command writes to standard output from here on, and a reader of a pipe waits until every writer has
        // closed it.
        System.out.close();
        new LeaseHolder(launcher, keyhold, acquired, times, kills).holdUntilCommandEnds();
        return ExitCode.LOST;
    }

    private boolean kills() {
        return switch (onLost.toLowerCase(Locale.ROOT)) {
            case "kill" -> true;
            case "warn" -> false;
            default -> throw new CliException(ExitCode.USAGE, "--on-lost must be kill or warn, was '" + onLost + "'");
        };
    }

    private static void sendLease(LauncherChannel launcher, Lease lease, List<String> keys, int commandLength) {
        Diagnostics.detail("acquired " + String.join(", ", keys) + " as " + lease.token() + ", fencing token "
                + lease.fencingToken());
        launcher.send("arguments", Integer.toString(commandLength));
        launcher.send("key", String.join(" ", keys));
        launcher.send("token", lease.token());
        launcher.send("fence", Long.toString(lease.fencingToken()));
    }

    /** Returns the command's name without its directory, with a dash for each character that a label must not have. */
    private static String labelOf(String command) {
        StringBuilder name = new StringBuilder();
        for (char each : command.substring(command.lastIndexOf('/') + 1).toCharArray()) {
            boolean allowed = each < 128 && (Character.isLetterOrDigit(each) || "._-".indexOf(each) >= 0);
            name.append(allowed ? each : '-');
        }
        return name.length() == 0 ? "keyhold" : name.substring(0, Math.min(name.length(), 64));
    }
}
