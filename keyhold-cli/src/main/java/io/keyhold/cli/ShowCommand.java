package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.cli.view.LockJson;
import io.keyhold.cli.view.LockPage;
import io.keyhold.console.internal.JsonText;
import io.keyhold.doctor.Server;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Shows everything about one lock. */
final class ShowCommand extends CliCommand {

    private static final String CLIENT = "keyhold-show";

    private final ServerOptions server = new ServerOptions(this, true);
    private final Argument<String> parameter = parameter(String.class, "KEY", "The lock's key.");
    private final Argument<Boolean> json = flag("--json", "Print JSON.");

    ShowCommand() {
        super("Shows one lock: its holders, their tokens, and its queue.", "Exits with 1 if the lock is free.");
        examples(
                "  keyhold show invoice:42",
                "  keyhold show deploy >/dev/null || echo 'no deployment is running'",
                "  keyhold show gpu --json | jq .availablePermits");
    }

    @Override
    public Integer call() {
        String key = parameter.orElse("");
        KeyRules.checkReadable(List.of(key));
        Connection connection = server.connection();
        try (Keyhold keyhold = connection.client(CLIENT)) {
            LockSnapshot lock = keyhold.inspect().lock(key);
            Optional<QuorumSnapshot> quorum = keyhold.inspect().quorum();
            new Output()
                    .lines(
                            json.isGiven()
                                    ? List.of(JsonText.indented(LockJson.lock(lock, quorum)))
                                    : LockPage.of(lock, quorum, Instant.now(), serverTime(connection, lock)));
            return lock.isHeld() ? ExitCode.OK : ExitCode.NO;
        }
    }

    /** Returns the server's time; empty if the lock is free, with several servers, or if TIME is refused. */
    private static Optional<Instant> serverTime(Connection connection, LockSnapshot lock) {
        Optional<RedisDriver> driver = lock.isHeld() ? connection.singleServer(CLIENT) : Optional.empty();
        if (driver.isEmpty()) {
            return Optional.empty();
        }
        try (Server server = new Server(driver.get())) {
            return Optional.of(server.time());
        } catch (RedisErrorException | RedisConnectionException unknown) {
            return Optional.empty();
        }
    }
}
