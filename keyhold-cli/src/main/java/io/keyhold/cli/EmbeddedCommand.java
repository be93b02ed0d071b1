package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.spi.RedisUri;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The user's own server: whether it runs, and its end. It needs no start: whoever needs it starts it. */
@Command(
        description = "Shows or ends the Redis server of your own, which serves calls that name no other.",
        synopsisSubcommandLabel = "status|stop",
        footerHeading = "%nExamples:%n",
        footer = {"  keyhold embedded status", "  keyhold embedded stop"})
final class EmbeddedCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = CommandLine.ScopeType.INHERIT,
            description = "Shows this.")
    @SuppressWarnings("unused") // Read by picocli.
    private boolean help;

    @Option(
            names = {"-v", "--verbose"},
            scope = CommandLine.ScopeType.INHERIT,
            description = "Shows where an error comes from.")
    void verbose(boolean wanted) {
        Diagnostics.verbose(wanted);
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "say status or stop");
    }

    @Command(name = "status", description = "Says whether it runs and where; exit code 1 if it does not.")
    int status() {
        UsersServer server = UsersServer.ofThisUser();
        Optional<ServerInfo> info = server.info();
        if (info.isEmpty()) {
            System.out.println("not running; files in " + server.files().folder());
            return ExitCode.NO;
        }
        System.out.println("running on 127.0.0.1:" + field(info.get(), "tcp_port") + ", Redis "
                + field(info.get(), "redis_version") + ", process " + field(info.get(), "process_id") + ", up "
                + field(info.get(), "uptime_in_seconds") + "s, files in "
                + server.files().folder());
        return ExitCode.OK;
    }

    private static String field(ServerInfo info, String name) {
        return info.field(name).orElse("?");
    }

    @Command(
            name = "stop",
            description =
                    "Ends it. Locks that are held then are known again when it is started next, unless their leases"
                            + " have run out.")
    int stop(
            @Option(
                            names = "--if-idle",
                            hidden = true,
                            description = "Only if no call is under way and no lock is held; exit code 1 otherwise.")
                    boolean ifIdle) {
        UsersServer server = UsersServer.ofThisUser();
        if (ifIdle) {
            return server.stopIfUnused(EmbeddedCommand::someLockIsHeld) ? ExitCode.OK : ExitCode.NO;
        }
        System.out.println(server.stop() ? "stopped" : "was not running");
        return ExitCode.OK;
    }

    private static boolean someLockIsHeld(RedisUri uri) {
        try (Keyhold keyhold = Keyhold.builder().uri(uri).build()) {
            return !keyhold.inspect().list("*").isEmpty();
        }
    }
}
