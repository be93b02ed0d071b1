package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.cli.view.Json;
import io.keyhold.cli.view.Output;
import io.keyhold.cli.view.UnwrittenException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a lock and leaves it taken, for a script that releases it by its token in a later call. */
@Command(
        description = "Takes a lock and prints the token that renews and releases it; it ends with its lease.",
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
    private HoldOptions hold = new HoldOptions();

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "How long it is held" + " unless it is renewed or released. Default: 30s.")
    private Duration lease = LockOptions.DEFAULT_LEASE;

    @Option(names = "--label", paramLabel = "NAME", description = "What operators see as the holder. Default: keyhold.")
    private String label = "keyhold";

    @Option(names = "--json", description = "Print keys, token, fencing token and lease as JSON.")
    private boolean json;

    @Parameters(
            arity = "1..*",
            paramLabel = "KEY",
            description = "What to lock; several are taken together or not at all.")
    private List<String> keys = List.of();

    @Override
    public Integer call() throws InterruptedException {
        hold.check(keys);
        try (Keyhold keyhold = common.connection().client(label)) {
            Patience.endWithProcess(keyhold);
            Lease taken = hold.take(keyhold, keys, lease, false);
            print(taken);
            taken.handOff();
        } catch (KeyholdClosedException interrupted) {
            return ExitCode.NO;
        }
        return ExitCode.OK;
    }

    /** Whoever does not get to know the token could neither renew nor release. */
    private void print(Lease taken) {
        try {
            new Output().deliver(json ? Json.line(object(taken)) : taken.token());
        } catch (UnwrittenException e) {
            throw new CliException(ExitCode.UNWRITTEN, e.getMessage() + "; what was taken " + letGo(taken), e);
        }
    }

    private static String letGo(Lease taken) {
        try {
            taken.release();
            return "is released";
        } catch (StoreUnavailableException | StoreRefusedException e) {
            return "ends with its lease";
        }
    }

    private Map<String, Object> object(Lease taken) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("keys", keys);
        object.put("token", taken.token());
        object.put("fencingToken", taken.fencingToken());
        object.put("leaseMillis", lease.toMillis());
        return object;
    }
}
