package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/** Extends the lease of a hold that an earlier call acquired. */
final class RenewCommand extends CliCommand {

    private final CommonOptions common = new CommonOptions(this);
    private final Argument<String> token = add(OptionSpec.builder("--token")
            .type(String.class)
            .required(true)
            .paramLabel("TOKEN")
            .description("The token that 'keyhold acquire' printed."));
    private final Argument<Duration> lease = duration("--lease", "The new lease, from now on. Default: 30s.");
    private final Argument<List<String>> keys = parameters("KEY", "All keys that were acquired.");

    RenewCommand() {
        super("Extends the lease of a hold of 'keyhold acquire'. Exits with 203 if the token does not hold the lock.");
        examples("  keyhold renew backup --token \"$token\" --lease 10m");
    }

    @Override
    public Integer call() {
        List<String> names = keys.orElse(List.of());
        Duration length = lease.orElse(LockOptions.DEFAULT_LEASE);
        KeyRules.checkReadable(names);
        try (Keyhold keyhold = common.connection().client("keyhold")) {
            long fence = new HoldByToken(keyhold, names, token.orElse("")).renew(length);
            Diagnostics.detail("renewed for " + Durations.text(length) + ", fencing token " + fence);
            return ExitCode.OK;
        } catch (LeaseLostException e) {
            throw new CliException(
                    ExitCode.LOST, "the token does not hold '" + String.join("', '", names) + "' any more", e);
        }
    }
}
