package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.cli.view.Json;
import io.keyhold.cli.view.LockJson;
import io.keyhold.cli.view.LockPage;
import io.keyhold.cli.view.Output;
import io.keyhold.doctor.Server;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisUri;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows everything about one lock. */
@Command(
        description = {"Shows one lock: its holders, their tokens, and its queue.", "Exits with 1 if the lock is free."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  keyhold show invoice:42",
            "  keyhold show deploy >/dev/null || echo 'no deployment is running'",
            "  keyhold show gpu --json | jq .availablePermits"
        })
final class ShowCommand implements Callable<Integer> {

    private static final String CLIENT = "keyhold-show";

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "KEY", description = "The lock's key.")
    private String key = "";

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        KeyRules.checkReadable(List.of(key));
        Connection connection = common.connection();
        try (Keyhold keyhold = connection.client(CLIENT)) {
            LockSnapshot lock = keyhold.inspect().lock(key);
            Optional<QuorumSnapshot> quorum = keyhold.inspect().quorum();
            new Output()
                    .lines(
                            json
                                    ? List.of(Json.pretty(object(lock, quorum)))
                                    : LockPage.of(lock, quorum, Instant.now(), serverTime(connection, lock)));
            return lock.isHeld() ? ExitCode.OK : ExitCode.NO;
        }
    }

    /** Returns the server's time; empty if the lock is free, with several servers, or if TIME is refused. */
    private static Optional<Instant> serverTime(Connection connection, LockSnapshot lock) {
        if (!lock.isHeld() || connection.servers().size() > 1 || connection.topology() != RedisUri.Topology.SINGLE) {
            return Optional.empty();
        }
        try (Server server =
                new Server(JedisDriver.open(connection.servers().get(0).withClientName(CLIENT)))) {
            return Optional.of(server.time());
        } catch (RedisErrorException | RedisConnectionException unknown) {
            return Optional.empty();
        }
    }

    private static Map<String, @Nullable Object> object(LockSnapshot lock, Optional<QuorumSnapshot> quorum) {
        Map<String, @Nullable Object> object = LockJson.lock(lock);
        object.put("quorum", quorum.map(LockJson::quorum).orElse(null));
        return object;
    }
}
