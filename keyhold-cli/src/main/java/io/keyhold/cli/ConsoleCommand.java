package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.console.ConsoleApi;
import io.keyhold.console.ConsoleOptions;
import io.keyhold.console.ConsoleServer;
import io.keyhold.doctor.DoctorOptions;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** Serves the console until it is interrupted. */
final class ConsoleCommand extends CliCommand {

    private static final String CLIENT = "keyhold-console";
    private static final int LARGEST_PORT = 65_535;

    private final ServerOptions server = new ServerOptions(this, true);
    private final Argument<Integer> portGiven =
            number("--port", "PORT", "The port on 127.0.0.1. Default: any that is free.");
    private final Argument<Boolean> open = flag("--open", "Open the page in the default browser.");
    private final Argument<Boolean> allowRelease = flag(
            "--allow-release",
            "Let the page release locks by force. Each release needs a reason and is written to standard error.");
    private final Argument<String> events = text(
            "--events",
            "URI",
            "The server with the event stream of clients that write one (docs/console.md). Default: the server of the locks, if"
                    + " it is a single one.");

    ConsoleCommand() {
        super(
                "Serves a page on this machine that shows every lock, its queue and its history.",
                "Prints a URL that opens it in one browser, and the next one when that was used. Runs until Ctrl-C.");
        examples(
                "  keyhold console --open",
                "  keyhold console --port 8080 --redis redis://locks.example:6379",
                "  keyhold console --allow-release           the page may take a lock from its holder");
    }

    @Override
    public Integer call() throws InterruptedException {
        int port = portGiven.orElse(0);
        CliException.refuse(
                port < 0 || port > LARGEST_PORT, "--port must be from 0 to " + LARGEST_PORT + ", was " + port);
        Connection connection = server.connection();
        Optional<RedisDriver> eventServer = eventServer(connection);
        try (Keyhold keyhold = connection.client(CLIENT);
                ConsoleApi api = new ConsoleApi(keyhold, options(connection, eventServer))) {
            serve(api, port);
        } finally {
            eventServer.ifPresent(RedisDriver::close);
        }
        return ExitCode.OK;
    }

    private void serve(ConsoleApi api, int port) throws InterruptedException {
        try (ConsoleServer server =
                ConsoleServer.start(api, port, next -> Diagnostics.print("In another browser: " + next))) {
            closeOnExit(api, server);
            new Output().line(server.url());
            Diagnostics.print(
                    allowRelease.isGiven()
                            ? "The page may release locks by force."
                            : "Read-only; --allow-release lets the page release locks.");
            if (open.isGiven()) {
                browse(server.url());
            }
            new CountDownLatch(1).await();
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.USAGE, "port " + port + " of 127.0.0.1 cannot be used: " + e.getMessage(), e);
        }
    }

    /** Closes the connections of open pages when a signal ends the process. */
    private static void closeOnExit(ConsoleApi api, ConsoleServer server) {
        Runnable close = () -> {
            api.close();
            server.close();
        };
        Runtime.getRuntime().addShutdownHook(new Thread(close, "keyhold-close"));
    }

    private ConsoleOptions options(Connection connection, Optional<RedisDriver> eventServer) {
        List<RedisUri> servers = connection.servers();
        ConsoleOptions.Builder options = ConsoleOptions.builder()
                .target(servers.stream().map(RedisUri::toString).collect(Collectors.joining(", ")))
                .topology(
                        servers.size() > 1
                                ? "quorum"
                                : connection.topology().name().toLowerCase(Locale.ROOT))
                .embedded(connection.isLocal())
                .allowRelease(allowRelease.isGiven())
                .audit(line -> Diagnostics.print("audit: " + line))
                .doctor(() -> connection.examine(DoctorOptions.readOnly()));
        if (connection.isLocal()) {
            options.notice("No server is configured: these are the locks of the private Redis server of this user.");
        }
        eventServer.ifPresent(options::events);
        return options.build();
    }

    private Optional<RedisDriver> eventServer(Connection connection) {
        String named = events.get();
        if (named != null) {
            RedisUri uri;
            try {
                uri = RedisUri.parse(named);
                uri.requireSingleServer();
            } catch (IllegalArgumentException e) {
                throw new CliException(ExitCode.USAGE, "--events: " + e.getMessage(), e);
            }
            return Optional.of(JedisDriver.open(uri.withClientName(CLIENT)));
        }
        return connection.singleServer(CLIENT);
    }

    /** Tries the opener of the desktop; without one, the URL is on the screen anyway. */
    private static void browse(String url) {
        String opener = System.getProperty("os.name", "").startsWith("Mac") ? "open" : "xdg-open";
        try {
            new ProcessBuilder(opener, url)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            Diagnostics.print("No browser could be opened (" + opener + "): open the URL yourself.");
        }
    }
}
