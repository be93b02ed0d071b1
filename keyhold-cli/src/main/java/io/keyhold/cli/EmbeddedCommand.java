package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.doctor.ServerInfo;
import io.keyhold.spi.RedisUri;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows or stops the private Redis server, which other commands start when they need it. */
@Command(
        description = "Shows or stops the private Redis server, which is used when no other server is named.",
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
            description = "Show this help.")
    @SuppressWarnings("unused") // Read by picocli.
    private boolean help;

    @Option(
            names = {"-v", "--verbose"},
            scope = CommandLine.ScopeType.INHERIT,
            description = "Print the stack trace of an error.")
    void verbose(boolean enabled) {
        Diagnostics.verbose(enabled);
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "missing command: status or stop");
    }

    @Command(name = "status", description = "Shows whether it runs, and where. Exits with 1 if it does not run.")
    int status() {
        LocalRedis server = LocalRedis.ofUser();
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
            description = "Stops it. Locks that are held stay held until their leases end, also across a restart.")
    int stop(
            @Option(
                            names = "--if-idle",
                            hidden = true,
                            description = "Only if no call is running and no lock is held; exits with 1 otherwise.")
                    boolean ifIdle) {
        LocalRedis server = LocalRedis.ofUser();
        if (ifIdle) {
            return server.stopIfUnused(EmbeddedCommand::isAnyLockHeld) ? ExitCode.OK : ExitCode.NO;
        }
        System.out.println(server.stop() ? "stopped" : "was not running");
        return ExitCode.OK;
    }

    private static boolean isAnyLockHeld(RedisUri uri) {
        try (Keyhold keyhold = Keyhold.builder().uri(uri).build()) {
            return !keyhold.inspect().list("*").isEmpty();
        }
    }
}
