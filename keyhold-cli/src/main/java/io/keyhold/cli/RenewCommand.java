package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Extends the lease of a hold that an earlier call acquired. */
@Command(
        description =
                "Extends the lease of a hold of 'keyhold acquire'. Exits with 203 if the token does not hold the lock.",
        footerHeading = "%nExamples:%n",
        footer = {"  keyhold renew backup --token \"$token\" --lease 10m"})
final class RenewCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(
            names = "--token",
            required = true,
            paramLabel = "TOKEN",
            description = "The token that 'keyhold acquire' printed.")
    private String token = "";

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "The new lease, from now on. Default: 30s.")
    private Duration lease = LockOptions.DEFAULT_LEASE;

    @Parameters(arity = "1..*", paramLabel = "KEY", description = "All keys that were acquired.")
    private List<String> keys = List.of();

    @Override
    public Integer call() {
        KeyRules.checkReadable(keys);
        try (Keyhold keyhold = common.connection().client("keyhold")) {
            long fence = new HoldByToken(keyhold, keys, token).renew(lease);
            Diagnostics.detail("renewed for " + Durations.text(lease) + ", fencing token " + fence);
            return ExitCode.OK;
        } catch (LeaseLostException e) {
            throw new CliException(
                    ExitCode.LOST, "the token does not hold '" + String.join("', '", keys) + "' any more", e);
        }
    }
}
