package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.Keyhold;
import io.keyhold.cli.view.Plain;
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

/** Releases a hold that an earlier call took, or takes a lock away from whoever holds it. */
@Command(
        description =
                "Releases what a token holds, or takes a lock away from whoever holds it; exit code 203 if there was"
                        + " nothing to release.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  keyhold release backup --token \"$token\"",
            "  keyhold release backup --force",
            "  keyhold release backup --force --token \"$seen\""
        })
final class ReleaseCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "What 'keyhold acquire' has printed; with --force what 'keyhold show' has, so that no other holder is"
                            + " affected.")
    private @Nullable String token;

    @Option(names = "--force", description = "Take it away from whoever holds it. Asks first.")
    private boolean force;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask before --force.")
    private boolean yes;

    @Parameters(arity = "1..*", paramLabel = "KEY", description = "What to release.")
    private List<String> keys = List.of();

    @Override
    public Integer call() {
        KeyRules.checkReadable(keys);
        if (token == null && !force) {
            throw new CliException(ExitCode.USAGE, "release needs --token TOKEN or --force");
        }
        try (Keyhold keyhold = common.connection().client("keyhold")) {
            return token != null && !force ? release(keyhold, token) : takeAway(keyhold);
        }
    }

    private int release(Keyhold keyhold, String given) {
        if (new TokenHold(keyhold, keys, given).release()) {
            return ExitCode.OK;
        }
        throw new CliException(ExitCode.LOST, "the token does not hold '" + String.join("', '", keys) + "' any more");
    }

    private int takeAway(Keyhold keyhold) {
        List<LockSnapshot> held = held(keyhold);
        if (!held.isEmpty() && !yes && !agreed(held)) {
            throw new CliException(ExitCode.NO, "nothing was released");
        }
        boolean released = false;
        for (LockSnapshot lock : held) {
            released |= takeAway(keyhold.inspect(), lock);
        }
        if (!released) {
            String names = "'" + String.join("', '", keys) + "'";
            throw new CliException(
                    ExitCode.LOST,
                    held.isEmpty()
                            ? "nobody held " + names
                            : "the token that was seen does not hold " + names + " any more");
        }
        return ExitCode.OK;
    }

    /** Another client may hold the lock by the time that the question is answered: only the holder that was shown loses it. */
    private boolean takeAway(LockInspector inspector, LockSnapshot lock) {
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

    /** Looks at all of them before any is taken away, so that a key of something else ends it in time. */
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

    /** Asks on standard error, so that the answer is asked for even where standard output goes into a file. */
    private static boolean agreed(List<LockSnapshot> held) {
        String holders = held.stream().map(Holders::of).collect(Collectors.joining("; "));
        System.err.print(
                Plain.text(holders) + "; its holder may be at work until it hears of it. Take it away? [y/N] ");
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
