package io.keyhold.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The command without a subcommand. */
final class RootCommand extends CliCommand {

    RootCommand() {
        spec().name("keyhold");
        spec().version(Main.version());
        spec().addOption(OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Show the version.")
                .build());
        for (String name : Commands.NAMES) {
            spec().addSubcommand(name, new CommandLine(Commands.create(name).spec()));
        }
        examples(
                "  keyhold run nightly-report -- ./report.sh",
                "  keyhold run deploy --no-wait -- ./deploy.sh || echo 'a deployment is already running'",
                "  keyhold run gpu --permits 1 --of 4 -- ./train.py",
                "  keyhold elect scheduler -- ./scheduler.sh",
                "",
                "Environment:",
                "  KEYHOLD_REDIS          the server, as in --redis; must not be empty",
                "  KEYHOLD_HOME           folder of the private Redis server; default: keyhold below XDG_CACHE_HOME or ~/.cache",
                "  KEYHOLD_REDIS_SERVER   the redis-server to run as the private one; default: from the PATH, else from the jar",
                "  KEYHOLD_EMBEDDED_IDLE  how long the private server may be idle before it stops; default: 10m",
                "  KEYHOLD_JAR            the jar to run; default: the one that belongs to this command",
                "  JAVA_HOME              the Java installation; default: java from the PATH",
                "  HOSTNAME               this machine in the name of the holder; default: the name that the system has",
                "  SHELL                  the shell for -c",
                "  TMPDIR                 where pipes are made on systems that need names for them; default: /tmp",
                "  NO_COLOR, TERM=dumb    no colours",
                "A command gets KEYHOLD_KEY, KEYHOLD_TOKEN and KEYHOLD_FENCE.",
                "",
                "keyhold COMMAND --help shows the options of a command; man keyhold describes everything.");
        spec().usageMessage()
                .header("Locks for shell scripts and operators, on Redis.")
                .synopsisSubcommandLabel("COMMAND");
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec().commandLine(), "missing command");
    }
}
