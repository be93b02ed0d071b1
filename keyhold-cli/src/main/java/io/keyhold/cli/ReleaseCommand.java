package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.Keyhold;
import io.keyhold.console.internal.Printable;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockSnapshot;
import java.util.List;
import java.util.Scanner;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;

/** Releases a hold that an earlier call acquired, or force-releases a lock. */
final class ReleaseCommand extends CliCommand {

    private final ServerOptions server = new ServerOptions(this, false);
    private final Argument<String> token = text(
            "--token",
            "TOKEN",
            "The token that 'keyhold acquire' printed; with --force the token of the only holder that may lose the lock, as in"
                    + " 'keyhold show'.");
    private final Argument<Boolean> force =
            flag("--force", "Take the lock away from its holder, after a confirmation.");
    private final Argument<Boolean> yes =
            add(OptionSpec.builder("-y", "--yes").description("Do not ask for confirmation."));
    private final Argument<List<String>> parameters = parameters("KEY", "The keys to release.");

    ReleaseCommand() {
        super(
                "Releases a lock by its token, or takes it away from its holder (--force). Exits with 203 if there was nothing"
                        + " to release.");
        examples(
                "  keyhold release backup --token \"$token\"",
                "  keyhold release backup --force",
                "  keyhold release backup --force --token \"$token\"");
    }

    @Override
    public Integer call() {
        List<String> keys = parameters.orElse(List.of());
        KeyRules.checkReadable(keys);
        CliException.refuse(token.orElse("").isEmpty() && !force.isGiven(), "release needs --token TOKEN or --force");
        try (Keyhold keyhold = server.connection().client("keyhold")) {
            return force.isGiven() ? forceRelease(keyhold, keys) : release(keyhold, keys);
        }
    }

    private int release(Keyhold keyhold, List<String> keys) {
        String held = token.orElse("");
        keys.forEach(keyhold.inspect()::lock); // Refuses a key with another program's data.
        // The server has the kind of a lock; several are locks.
        boolean released = keys.size() == 1
                ? keyhold.inspect().forceRelease(keys.get(0), held)
                : keyhold.allOf(keys).release(held);
        if (released) {
            return ExitCode.OK;
        }
        throw new CliException(ExitCode.LOST, "the token does not hold '" + String.join("', '", keys) + "' any more");
    }

    private int forceRelease(Keyhold keyhold, List<String> keys) {
        List<LockSnapshot> held = held(keyhold, keys);
        if (!held.isEmpty() && !yes.isGiven() && !confirmed(held)) {
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

    /** Only holders that were shown lose the lock: other clients may hold it by the time the user confirms. */
    private boolean forceRelease(LockInspector inspector, LockSnapshot lock) {
        String only = token.get();
        if (only != null) {
            return inspector.forceRelease(lock.key(), only);
        }
        List<LockHolder> shown = lock.holders();
        // The token of another program may be cut off. More than a hundred holders were shown as a number.
        if (shown.isEmpty() || shown.get(0).foreign() || shown.size() < lock.holderCount()) {
            return inspector.forceRelease(lock.key());
        }
        boolean released = false;
        for (LockHolder holder : shown) {
            released |= inspector.forceRelease(lock.key(), holder.token());
        }
        return released;
    }

    /** Inspects all keys before any is released, so that a key with another program's data prevents all of it. */
    private static List<LockSnapshot> held(Keyhold keyhold, List<String> keys) {
        return keys.stream()
                .map(keyhold.inspect()::lock)
                .filter(lock -> lock.isHeld() || lock.isDisputed())
                .toList();
    }

    /** Asks on standard error, because standard output may be a file. */
    private static boolean confirmed(List<LockSnapshot> held) {
        String holders = held.stream().map(HolderText::of).collect(Collectors.joining("; "));
        System.err.print(Printable.text(holders)
                + "; the holder may continue to work until its next renewal. Release anyway? [y/N] ");
        System.err.flush();
        Scanner input = new Scanner(System.in, UTF_8);
        if (!input.hasNextLine()) {
            System.err.println();
            return false;
        }
        String answer = input.nextLine().strip();
        return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
    }
}
