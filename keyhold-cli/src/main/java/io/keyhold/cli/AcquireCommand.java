package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.cli.view.Json;
import io.keyhold.cli.view.Output;
import io.keyhold.cli.view.OutputException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Acquires a lock for a script that releases it by its token in a later call. */
@Command(
        description = "Acquires a lock and prints the token that renews and releases it. The hold ends with its lease.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  token=$(keyhold acquire backup --lease 10m --no-wait) || exit",
            "  keyhold renew backup --token \"$token\" --lease 10m",
            "  keyhold release backup --token \"$token\""
        })
final class AcquireCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private AcquireOptions acquire = new AcquireOptions();

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "How long the lock is held unless it is renewed or released. Default: 30s.")
    private Duration lease = LockOptions.DEFAULT_LEASE;

    @Option(names = "--label", paramLabel = "NAME", description = "The holder's name for operators. Default: keyhold.")
    private String label = "keyhold";

    @Option(names = "--json", description = "Print keys, token, fencing token and lease as JSON.")
    private boolean json;

    @Parameters(
            arity = "1..*",
            paramLabel = "KEY",
            description = "The key of the lock; several keys are acquired all or none.")
    private List<String> keys = List.of();

    @Override
    public Integer call() throws InterruptedException {
        acquire.check(keys);
        Connection connection = common.connection();
        try (Keyhold keyhold = connection.client(label)) {
            AbortOnExit.ofProcess(keyhold);
            Lease acquired;
            WaitWatch watch = WaitWatch.start(connection, keyhold, keys);
            try {
                acquired = acquire.acquire(keyhold, keys, lease, false);
            } finally {
                watch.close();
            }
            print(acquired);
            acquired.handOff();
        } catch (KeyholdClosedException interrupted) {
            return ExitCode.NO;
        }
        return ExitCode.OK;
    }

    /** Releases the lock if the token cannot be printed, because no other process could renew or release it. */
    private void print(Lease acquired) {
        try {
            new Output().deliver(json ? Json.line(object(acquired)) : acquired.token());
        } catch (OutputException e) {
            throw new CliException(ExitCode.OUTPUT_FAILED, e.getMessage() + "; the lock " + release(acquired), e);
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

    private Map<String, Object> object(Lease acquired) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("keys", keys);
        object.put("token", acquired.token());
        object.put("fencingToken", acquired.fencingToken());
        object.put("leaseMillis", lease.toMillis());
        return object;
    }
}
