package io.keyhold.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command without a subcommand. */
@Command(
        name = "keyhold",
        synopsisSubcommandLabel = "COMMAND",
        header = "Locks for shell scripts and operators, on Redis.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  keyhold run nightly-report -- ./report.sh",
            "  keyhold run deploy --no-wait -- ./deploy.sh || echo 'a deployment is already running'",
            "  keyhold run gpu --permits 1 --of 4 -- ./train.py",
            "",
            "keyhold COMMAND --help shows the options of a command; docs/cli.md describes everything."
        })
final class RootCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // Read by picocli.
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    @SuppressWarnings("unused") // Read by picocli.
    private boolean version;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "missing command");
    }
}
