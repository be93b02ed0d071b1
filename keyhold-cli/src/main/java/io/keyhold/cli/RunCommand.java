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
                "%nThe command gets KEYHOLD_KEY, KEYHOLD_TOKEN and KEYHOLD_FENCE in its environment; its exit code is"
                        + " passed on. Else: 201 busy, 202 timed out, 203 lost, 204 no server, 64 wrong use.%n%nExamples:%n",
        footer = {
            "  keyhold run nightly-report -- ./report.sh --all",
            "  keyhold run deploy --no-wait -- ./deploy.sh",
            "  keyhold run gpu --of 4 --wait 10m -- ./train.py",
            "  keyhold run account:1 account:2 -- ./transfer.sh",
        })
final class RunCommand implements Callable<Integer> {

    /** For somebody who has forgotten it. */
    static final String MISSING_SEPARATOR = "put -- before the command";

    private static final String SYNOPSIS = ": keyhold run KEY... [OPTIONS] -- COMMAND...";

    /** Only where picocli reads the command line. */
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    CommonOptions common = new CommonOptions();

    @Mixin
    HoldOptions hold = new HoldOptions();

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "How long the lock stays"
                    + " taken if this machine vanishes; renewed every third of it. At least 1s. Default: 30s.")
    @Nullable
    Duration lease;

    @Option(
            names = "--label",
            paramLabel = "NAME",
            description = "What operators see as the holder: letters, digits and ._-" + " Default: the command's name.")
    @Nullable
    String label;

    @Option(
            names = "--on-lost",
            paramLabel = "ACTION",
            description = "What to do when the lock is lost: kill the command"
                    + " and all that it has started, or warn. Default: kill.")
    String onLost = "kill";

    @Option(
            names = "--kill-grace",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "From TERM to KILL"
                    + " when the lock is lost; at most a third of the lease. Default: 5s, or that third.")
    @Nullable
    Duration killGrace;

    @Parameters(
            arity = "1..*",
            paramLabel = "KEY",
            description = "What to lock; several are taken together or not at all.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws InterruptedException {
        List<String> all = Objects.requireNonNull(spec)
                .root()
                .commandLine()
                .getParseResult()
                .originalArgs();
        int separator = all.indexOf("--");
        if (separator < 0 && words.size() > 1) {
            throw new CliException(ExitCode.USAGE, MISSING_SEPARATOR + SYNOPSIS);
        }
        List<String> command = separator < 0 ? List.of() : all.subList(separator + 1, all.size());
        return run(words.subList(0, words.size() - command.size()), command);
    }

    /** Holds these keys while the launcher runs this command. */
    int run(List<String> keys, List<String> command) throws InterruptedException {
        if (keys.isEmpty() || command.isEmpty()) {
            throw new CliException(
                    ExitCode.USAGE, (keys.isEmpty() ? "a key is missing" : "a command is missing") + SYNOPSIS);
        }
        hold.check(keys);
        boolean kills = kills();
        RunTimes times = RunTimes.of(lease, killGrace);
        Front front = Front.connect()
                .orElseThrow(() -> new CliException(
                        ExitCode.USAGE,
                        "run needs the launcher: call ./keyhold, not the jar, which cannot run commands"));
        Keyhold keyhold = common.connection().client(label != null ? label : labelOf(command.get(0)));
        Patience patience = Patience.endWith(front, keyhold);
        Lease taken;
        try {
            taken = hold.take(keyhold, keys, times.lease(), true);
        } catch (KeyholdClosedException nobodyWantsItAnyMore) {
            patience.awaitWithdrawal();
            return ExitCode.NO;
        }
        patience.isOver();
        introduce(front, taken, keys, command.size());
        front.say("grace", kills ? RunTimes.seconds(times.grace()) : "none");
        // From here on the command alone writes there; a reader at the other end should not have to wait for this
        // process.
        System.out.close();
        new Keeper(front, keyhold, taken, times).keep();
        return ExitCode.LOST;
    }

    private boolean kills() {
        return switch (onLost.toLowerCase(Locale.ROOT)) {
            case "kill" -> true;
            case "warn" -> false;
            default -> throw new CliException(ExitCode.USAGE, "--on-lost '" + onLost + "': must be kill or warn");
        };
    }

    private static void introduce(Front front, Lease lease, List<String> keys, int words) {
        Diagnostics.detail("holding " + String.join(", ", keys) + " as " + lease.token() + ", fencing token "
                + lease.fencingToken());
        front.say("agent", Long.toString(ProcessHandle.current().pid()));
        front.say("words", Integer.toString(words));
        front.say("key", String.join(" ", keys));
        front.say("token", lease.token());
        front.say("fence", Long.toString(lease.fencingToken()));
    }

    /** The command's name without its folder, as far as a label may look like it. */
    private static String labelOf(String command) {
        StringBuilder name = new StringBuilder();
        for (char each : command.substring(command.lastIndexOf('/') + 1).toCharArray()) {
            boolean allowed = each < 128 && (Character.isLetterOrDigit(each) || "._-".indexOf(each) >= 0);
            name.append(allowed ? each : '-');
        }
        return name.length() == 0 ? "keyhold" : name.substring(0, Math.min(name.length(), 64));
    }
}
