package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Model.OptionSpec;

/** Holds a lock while the launcher runs a command. */
abstract class CommandUnderLock extends CliCommand {

    private final Argument<List<String>> parameters;
    private final CommonOptions common = new CommonOptions(this);
    private final Argument<Duration> lease = duration(
            "--lease",
            "How long the lock stays held if this machine vanishes; renewed at a third of it. At least 1s. Default: 30s.");
    private final Argument<String> label = text(
            "--label", "NAME", "The holder's name for operators: letters, digits and ._- Default: the command's name.");
    private final Argument<Duration> killGrace = duration(
            "--kill-grace",
            "Time between TERM and KILL when the lock is lost; at most a third of the lease. Default: 5s, or that third.");
    private final Argument<String> line =
            text("-c", "LINE", "Run this line with the shell that SHELL names, else /bin/sh, in place of COMMAND.");

    /** Creates a command with this parameter, which is followed by the command to run. */
    CommandUnderLock(String name, String parameter, String parameterDescription, String... description) {
        super(description);
        spec().usageMessage().customSynopsis("keyhold " + name + " " + parameter + " [OPTIONS] [--] COMMAND...");
        parameters = parameters(parameter.replace("...", ""), parameterDescription);
    }

    /**
     * Checks the options that select the lock.
     *
     * @throws CliException if they do not fit each other or the keys
     */
    abstract void check(List<String> keys);

    /** Acquires the lock, with a lease of this length that is renewed. */
    abstract Lease acquire(Keyhold keyhold, List<String> keys, Duration length) throws InterruptedException;

    /** Whether the command is killed when the lock is lost. */
    boolean kills() {
        return true;
    }

    /**
     * Returns the arguments with "--" in front of the command. Without it, the first word is the key and the second one starts the
     * command.
     */
    final List<String> separated(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean hasKey = false;
        for (int index = 0; index < words.size(); index++) {
            String word = words.get(index);
            if (word.equals("--") || word.equals("-c")) {
                return words;
            }
            if (!word.startsWith("-")) {
                if (hasKey) {
                    words.add(index, "--");
                    return arguments.contains("--") ? arguments : words;
                }
                hasKey = true;
            } else if (takesValue(word)) {
                index++;
            }
        }
        return words;
    }

    private boolean takesValue(String word) {
        OptionSpec option = spec().findOption(word);
        return option != null && option.arity().max() > 0;
    }

    @Override
    public final Integer call() throws InterruptedException {
        List<String> all = spec().commandLine().getParseResult().originalArgs();
        int separator = all.indexOf("--");
        List<String> command = separator < 0 ? List.of() : all.subList(separator + 1, all.size());
        List<String> words = parameters.orElse(List.of());
        List<String> keys = words.subList(0, words.size() - command.size());
        if (keys.isEmpty() || (command.isEmpty() && !line.isGiven())) {
            throw usage(keys.isEmpty() ? "missing key" : "missing command");
        }
        if (line.isGiven() && (!command.isEmpty() || !all.contains("-c"))) {
            throw usage("-c LINE is one argument, in place of COMMAND");
        }
        check(keys);
        RunTimes times = RunTimes.of(lease.get(), killGrace.get());
        LauncherChannel launcher = LauncherChannel.open()
                .orElseThrow(() -> CliException.usage(
                        spec().name() + " needs the launcher: call the command keyhold, not the jar"));
        Connection connection = common.connection();
        Keyhold keyhold = connection.client(label.orElse(line.isGiven() ? "sh" : labelOf(command.get(0))));
        launcher.forwardSignals();
        // The launcher may be killed while the request waits.
        CompletableFuture<Void> abort = launcher.end().thenRun(keyhold::close);
        Lease acquired;
        WaitWatch watch = WaitWatch.start(connection, keyhold, keys);
        try {
            acquired = acquire(keyhold, keys, times.lease());
        } catch (KeyholdClosedException launcherEnded) {
            abort.join();
            return ExitCode.NO;
        } finally {
            watch.close();
        }
        abort.cancel(false);
        Diagnostics.detail("acquired " + String.join(", ", keys) + " as " + acquired.token() + ", fencing token "
                + acquired.fencingToken());
        launcher.send("set KEYHOLD_KEY=" + String.join(" ", keys));
        launcher.send("set KEYHOLD_TOKEN=" + acquired.token());
        launcher.send("set KEYHOLD_FENCE=" + acquired.fencingToken());
        launcher.send(line.isGiven() ? "line " + (all.size() - all.indexOf("-c") - 1) : "arguments " + command.size());
        launcher.send("grace " + (kills() ? RunTimes.seconds(times.grace()) : "none"));
        // Only the command writes to standard output from here on, and a reader of a pipe waits until every writer has
        // closed it.
        System.out.close();
        new LeaseHolder(launcher, keys, acquired, times, kills()).holdUntilCommandEnds();
        keyhold.close();
        return ExitCode.LOST;
    }

    private CliException usage(String mistake) {
        return CliException.usage(mistake + ": " + spec().usageMessage().customSynopsis()[0]);
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
