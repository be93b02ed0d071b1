package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.List;

/** Holds a lock while the launcher runs a command. */
abstract class CommandUnderLock extends CliCommand {

    private final Argument<List<String>> parameters;
    private final ServerOptions server = new ServerOptions(this, true);
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

    @Override
    public final Integer call() throws InterruptedException {
        // The launcher passes only the name of the command.
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
        LauncherChannel launcher = LauncherChannel.required();
        Connection connection = server.connection();
        Keyhold keyhold = connection.client(label.orElse(line.isGiven() ? "sh" : labelOf(command.get(0))));
        Lease acquired =
                WaitWatch.during(() -> acquire(keyhold, keys, times.lease()), launcher, connection, keyhold, keys);
        Diagnostics.detail("acquired " + String.join(", ", keys) + " as " + acquired.token() + ", fencing token "
                + acquired.fencingToken());
        launcher.send("set KEYHOLD_KEY=" + String.join(" ", keys));
        launcher.send("set KEYHOLD_TOKEN=" + acquired.token());
        launcher.send("set KEYHOLD_FENCE=" + acquired.fencingToken());
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
