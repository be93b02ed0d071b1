package io.keyhold.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Runs a command while this candidate is the leader of a role. The role is a lock of the same name, as in {@code
 * Keyhold.election}; the launcher calls this again when the lock was lost.
 */
@Command(
        description = {
            "Runs a command on one of many machines: on the leader of this role.",
            "Waits until this candidate is elected, and runs the command. If the leadership is lost, stops the command, stands for"
                    + " election again, and starts the command again when it is elected. Ends with the command."
        },
        customSynopsis = "keyhold elect ROLE [OPTIONS] [--] COMMAND...",
        footerHeading = "%nExamples:%n",
        footer = {
            "  keyhold elect scheduler -- ./scheduler.sh",
            "  keyhold elect scheduler --lease 10s -- ./scheduler.sh"
        })
final class ElectCommand extends CommandUnderLock {

    @Parameters(arity = "1..*", paramLabel = "ROLE", description = "The name of the role, the same for all candidates.")
    private List<String> parameters = List.of();

    @Override
    public Integer call() throws InterruptedException {
        return run(parameters, new AcquireOptions(), true);
    }
}
