package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.Keyhold;
import io.keyhold.cli.view.Printable;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Releases a hold that an earlier call acquired, or force-releases a lock. */
@Command(
        description =
                "Releases a lock by its token, or takes it away from its holder (--force). Exits with 203 if there was nothing"
                        + " to release.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  keyhold release backup --token \"$token\"",
            "  keyhold release backup --force",
            "  keyhold release backup --force --token \"$token\""
        })
final class ReleaseCommand implements Callable<Integer> {

    @Mixin
    private ServerOptions common = new ServerOptions();

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "The token that 'keyhold acquire' printed; with --force the token of the only holder that may lose the"
                            + " lock, as in 'keyhold show'.")
    private @Nullable String token;

    @Option(names = "--force", description = "Take the lock away from its holder, after a confirmation.")
    private boolean force;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask for confirmation.")
    private boolean yes;

    @Parameters(arity = "1..*", paramLabel = "KEY", description = "The keys to release.")
    private List<String> keys = List.of();

    @Override
    public Integer call() {
        KeyRules.checkReadable(keys);
        if (token == null && !force) {
            throw new CliException(ExitCode.USAGE, "release needs --token TOKEN or --force");
        }
        try (Keyhold keyhold = common.connection().client("keyhold")) {
            return token != null && !force ? release(keyhold, token) : forceRelease(keyhold);
        }
    }

    private int release(Keyhold keyhold, String given) {
        if (new HoldByToken(keyhold, keys, given).release()) {
            return ExitCode.OK;
        }
        throw new CliException(ExitCode.LOST, "the token does not hold '" + String.join("', '", keys) + "' any more");
    }

    private int forceRelease(Keyhold keyhold) {
        List<LockSnapshot> held = held(keyhold);
        if (!held.isEmpty() && !yes && !confirmed(held)) {
            throw new CliException(ExitCode.NO, "nothing was released");
        }
        boolean released = false;
        for (LockSnapshot lock : held) {
            released |= forceRelease(keyhold.inspect(), lock);
        }
        if (!released) {
            String names = "'" + String.join("', '", keys) + "'";
            throw new CliException(
                    ExitCode.LOST,
                    held.isEmpty()
                            ? names + (keys.size() == 1 ? " is not held" : " are not held")
                            : "that token does not hold " + names + " any more");
        }
        return ExitCode.OK;
    }

    /** Only the holder that was shown loses the lock: another client may hold it by the time the user confirms. */
    private boolean forceRelease(LockInspector inspector, LockSnapshot lock) {
        if (token != null) {
            return inspector.forceRelease(lock.key(), token);
        }
        List<LockHolder> holders = lock.holders();
        boolean isOneLock = lock.kind() == LockKind.LOCK && holders.size() == 1;
        if (isOneLock && !holders.get(0).foreign()) {
            return inspector.forceRelease(lock.key(), holders.get(0).token());
        }
        return inspector.forceRelease(lock.key());
    }

    /** Inspects all keys before any is released, so that a key with another program's data prevents all of it. */
    private List<LockSnapshot> held(Keyhold keyhold) {
        List<LockSnapshot> held = new ArrayList<>();
        for (String key : keys) {
            LockSnapshot lock = keyhold.inspect().lock(key);
            if (lock.isHeld() || lock.isDisputed()) {
                held.add(lock);
            }
        }
        return held;
    }

    /** Asks on standard error, because standard output may be a file. */
    private static boolean confirmed(List<LockSnapshot> held) {
        String holders = held.stream().map(HolderText::of).collect(Collectors.joining("; "));
        System.err.print(Printable.text(holders)
                + "; the holder may continue to work until its next renewal. Release anyway? [y/N] ");
        System.err.flush();
        try {
            String answer = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
            if (answer == null) {
                System.err.println();
            }
            return answer != null
                    && (answer.strip().equalsIgnoreCase("y") || answer.strip().equalsIgnoreCase("yes"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
