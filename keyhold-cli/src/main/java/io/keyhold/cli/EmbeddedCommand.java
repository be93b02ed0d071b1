package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.spi.RedisUri;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Shows or stops the private Redis server, which other commands start when they need it. */
final class EmbeddedCommand extends CliCommand {

    EmbeddedCommand() {
        super("Shows or stops the private Redis server, which is used when no other server is named.");
        spec().usageMessage().synopsisSubcommandLabel("status|stop");
        spec().addSubcommand("status", new CommandLine(new Status().spec()));
        spec().addSubcommand("stop", new CommandLine(new Stop().spec()));
        examples("  keyhold embedded status", "  keyhold embedded stop");
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec().commandLine(), "missing command: status or stop");
    }

    private static final class Status extends CliCommand {

        Status() {
            super("Shows whether it runs, and where. Exits with 1 if it does not run.");
        }

        @Override
        public Integer call() {
            return LocalRedis.ofUser(server -> {
                Optional<Map<String, String>> info = server.info();
                new Output().line(info.map(Status::text).orElse("not running; ") + "files in " + server.folder());
                return info.isPresent() ? ExitCode.OK : ExitCode.NO;
            });
        }

        private static String text(Map<String, String> info) {
            return "running on 127.0.0.1:" + info.get("tcp_port") + ", Redis " + info.get("redis_version")
                    + ", process " + info.get("process_id") + ", up " + info.get("uptime_in_seconds") + "s, ";
        }
    }

    private static final class Stop extends CliCommand {

        private final Argument<Boolean> ifIdle = add(OptionSpec.builder("--if-idle")
                .hidden(true)
                .description("Only if no call is running and no lock is held; exits with 1 otherwise."));

        Stop() {
            super("Stops it. Locks that are held stay held until their leases end, also across a restart.");
        }

        @Override
        public Integer call() {
            if (ifIdle.isGiven()) {
                boolean stopped = LocalRedis.ofUser(server -> server.stopIfUnused(Stop::isAnyLockHeld));
                return stopped ? ExitCode.OK : ExitCode.NO;
            }
            new Output().line(LocalRedis.ofUser(LocalRedis::stop) ? "stopped" : "was not running");
            return ExitCode.OK;
        }

        private static boolean isAnyLockHeld(RedisUri uri) {
            try (Keyhold keyhold = Keyhold.builder().uri(uri).build()) {
                return !keyhold.inspect().list("*").isEmpty();
            }
        }
    }
}
