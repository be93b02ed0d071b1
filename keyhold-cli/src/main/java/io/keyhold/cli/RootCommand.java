package io.keyhold.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The command without a subcommand, and the list of these. */
final class RootCommand extends CliCommand {

    /** The subcommands, in the order of the help. */
    static final List<String> NAMES = List.of(
            "run", "elect", "acquire", "renew", "release", "ls", "show", "doctor", "console", "embedded", "completion");

    RootCommand() {
        spec().name("keyhold");
        spec().version(Main.version());
        spec().addOption(OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Show the version.")
                .build());
        for (String name : NAMES) {
            spec().addSubcommand(name, new CommandLine(create(name).spec()));
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

    /** Creates a subcommand; each one takes milliseconds, so a call creates only the one that it needs. */
    static CliCommand create(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "elect" -> new ElectCommand();
            case "acquire" -> new AcquireCommand();
            case "renew" -> new RenewCommand();
            case "release" -> new ReleaseCommand();
            case "ls" -> new LsCommand();
            case "show" -> new ShowCommand();
            case "doctor" -> new DoctorCommand();
            case "console" -> new ConsoleCommand();
            case "embedded" -> new EmbeddedCommand();
            case "completion" -> new CompletionCommand();
            default -> throw new IllegalArgumentException("no command '" + name + "'");
        };
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec().commandLine(), "missing command");
    }
}
