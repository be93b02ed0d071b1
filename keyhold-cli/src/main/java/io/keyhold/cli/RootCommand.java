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
            "  keyhold elect scheduler -- ./scheduler.sh",
            "",
            "Environment:",
            "  KEYHOLD_REDIS          the server, as in --redis; must not be empty",
            "  KEYHOLD_HOME           folder of the private Redis server; default: keyhold below XDG_CACHE_HOME or ~/.cache",
            "  KEYHOLD_REDIS_SERVER   the redis-server to run as the private one; default: from the PATH, else from the jar",
            "  KEYHOLD_JAR            the jar to run; default: the one that belongs to this command",
            "  JAVA_HOME              the Java installation; default: java from the PATH",
            "  SHELL                  the shell for -c",
            "  NO_COLOR, TERM=dumb    no colours",
            "A command gets KEYHOLD_KEY, KEYHOLD_TOKEN and KEYHOLD_FENCE.",
            "",
            "keyhold COMMAND --help shows the options of a command; man keyhold describes everything."
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
