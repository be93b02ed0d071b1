package io.keyhold.cli;

import io.keyhold.cli.view.DoctorPage;
import io.keyhold.console.internal.JsonText;
import io.keyhold.doctor.Diagnosis;
import io.keyhold.doctor.DoctorOptions;
import java.util.List;
import java.util.Optional;

/** Checks a server, or each server of a quorum, of a cluster or behind sentinels, for what endangers locks. */
final class DoctorCommand extends CliCommand {

    private final ServerOptions server = new ServerOptions(this, true);
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
        String key = trialKey.orElse(DoctorOptions.randomTrialKey());
        KeyRules.checkReadable(List.of(key));
        Diagnosis diagnosis = server.connection().examine(new DoctorOptions(Optional.of(key), deep.isGiven()));
        new Output()
                .lines(
                        json.isGiven()
                                ? List.of(JsonText.indented(DoctorPage.json(diagnosis)))
                                : DoctorPage.of(diagnosis, Terminal.OUTPUT.hasColours()));
        return exitCode(diagnosis);
    }

    /** Returns the exit code for the worst finding. A server that cannot be reached has a single finding. */
    static int exitCode(Diagnosis diagnosis) {
        boolean reachable = diagnosis.findings().entrySet().stream()
                .anyMatch(server ->
                        Diagnosis.isServer(server.getKey()) && server.getValue().size() > 1);
        if (!reachable) {
            return ExitCode.UNREACHABLE;
        }
        return switch (diagnosis.worst()) {
            case OK -> ExitCode.OK;
            case WARN -> ExitCode.NO;
            case FAIL -> ExitCode.DANGER;
        };
    }
}
