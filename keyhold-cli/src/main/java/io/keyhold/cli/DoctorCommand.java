package io.keyhold.cli;

import io.keyhold.cli.view.DoctorPage;
import io.keyhold.cli.view.Output;
import io.keyhold.console.internal.JsonText;
import io.keyhold.doctor.Diagnosis;
import io.keyhold.doctor.Doctor;
import io.keyhold.doctor.DoctorOptions;
import io.keyhold.doctor.DoctorTarget;
import io.keyhold.doctor.Finding;
import io.keyhold.jedis.JedisDriver;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks a server, or each server of a quorum, of a cluster or behind sentinels, for what endangers locks. */
final class DoctorCommand extends CliCommand {

    private final CommonOptions common = new CommonOptions(this);
    private final Argument<Boolean> json = flag("--json", "Print JSON.");
    private final Argument<String> trialKey =
            text("--key", "KEY", "The key of the trial lock. Default: keyhold-doctor: and a random number.");
    private final Argument<Boolean> deep = flag("--deep", "Search for leftovers even among more than a million keys.");

    DoctorCommand() {
        super(
                "Checks the server for what endangers locks, and shows what to do about it.",
                "Exits with 0 if every check passed, 1 for a warning, 2 if locks fail or can be held twice, and 204 if no"
                        + " server can be reached.");
        examples(
                "  keyhold doctor --redis redis://locks.example:6379",
                "  keyhold doctor --key invoice:doctor       if this user may lock only invoice:*",
                "  keyhold doctor --json | jq '.servers[].findings[] | select(.level != \"OK\")'");
    }

    @Override
    public Integer call() {
        String key = trialKey.isGiven() ? trialKey.orElse("") : DoctorOptions.randomTrialKey();
        KeyRules.checkReadable(List.of(key));
        Connection connection = common.connection();
        Map<String, List<Finding>> findings = Doctor.examine(
                        new DoctorTarget(
                                connection.servers(),
                                connection.isLocal(),
                                JedisDriver::open,
                                () -> connection.client(Doctor.CLIENT)),
                        new DoctorOptions(Optional.of(key), deep.isGiven()))
                .findings();
        new Output()
                .lines(
                        json.isGiven()
                                ? List.of(JsonText.indented(DoctorPage.json(findings)))
                                : DoctorPage.of(findings, Terminal.colours()));
        return exitCode(findings);
    }

    /** Returns the exit code for the worst finding. A server that cannot be reached has a single finding. */
    static int exitCode(Map<String, List<Finding>> findings) {
        boolean reachable = findings.entrySet().stream()
                .anyMatch(server ->
                        Diagnosis.isServer(server.getKey()) && server.getValue().size() > 1);
        if (!reachable) {
            return ExitCode.UNREACHABLE;
        }
        return switch (DoctorPage.worst(findings)) {
            case OK -> ExitCode.OK;
            case WARN -> ExitCode.NO;
            case FAIL -> ExitCode.DANGER;
        };
    }
}
