package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.console.internal.JsonText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Acquires a lock for a script that releases it by its token in a later call. */
final class AcquireCommand extends CliCommand {

    private final ServerOptions server = new ServerOptions(this, true);
    private final AcquireOptions acquire = new AcquireOptions(this);
    private final Argument<Duration> lease =
            duration("--lease", "How long the lock is held unless it is renewed or released. Default: 30s.");
    private final Argument<String> label =
            text("--label", "NAME", "The holder's name for operators. Default: keyhold.");
    private final Argument<Boolean> json = flag("--json", "Print keys, token, fencing token and lease as JSON.");
    private final Argument<List<String>> keys =
            parameters("KEY", "The key of the lock; several keys are acquired all or none.");

    AcquireCommand() {
        super("Acquires a lock and prints the token that renews and releases it. The hold ends with its lease.");
        examples(
                "  token=$(keyhold acquire backup --lease 10m --no-wait) || exit",
                "  keyhold renew backup --token \"$token\" --lease 10m",
                "  keyhold release backup --token \"$token\"");
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> names = keys.orElse(List.of());
        Duration length = lease.orElse(LockOptions.DEFAULT_LEASE);
        acquire.check(names);
        LauncherChannel launcher = LauncherChannel.required();
        Connection connection = server.connection();
        try (Keyhold keyhold = connection.client(label.orElse("keyhold"))) {
            Lease acquired = WaitWatch.during(
                    () -> acquire.acquire(keyhold, names, length, false), launcher, connection, keyhold, names);
            print(acquired, json.isGiven() ? JsonText.of(object(acquired, names, length)) : acquired.token());
            acquired.handOff();
            return ExitCode.OK;
        }
    }

    /** Releases the lock if the token cannot be printed, because no other process could renew or release it. */
    private static void print(Lease acquired, String line) {
        try {
            new Output().deliver(line);
        } catch (CliException e) {
            throw new CliException(e.exitCode(), e.getMessage() + "; the lock " + release(acquired), e);
        }
    }

    private static String release(Lease acquired) {
        try {
            acquired.release();
            return "was released";
        } catch (StoreUnavailableException | StoreRefusedException e) {
            return "ends with its lease";
        }
    }

    private static Map<String, Object> object(Lease acquired, List<String> keys, Duration lease) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("keys", keys);
        object.put("token", acquired.token());
        object.put("fencingToken", acquired.fencingToken());
        object.put("leaseMillis", lease.toMillis());
        return object;
    }
}
