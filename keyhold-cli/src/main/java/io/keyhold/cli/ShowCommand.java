package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.cli.doctor.Server;
import io.keyhold.cli.view.Json;
import io.keyhold.cli.view.LockJson;
import io.keyhold.cli.view.LockPage;
import io.keyhold.cli.view.Output;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
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

/** Shows all that is known of one lock. */
@Command(
        description = {"Shows one lock: who holds it, who waits, its fencing token.", "Ends with 1 if nobody holds it."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  keyhold show invoice:42",
            "  keyhold show deploy >/dev/null || echo 'nobody deploys'",
            "  keyhold show gpu --json | jq .availablePermits"
        })
final class ShowCommand implements Callable<Integer> {

    private static final String CLIENT = "keyhold-show";

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "KEY", description = "The lock's key.")
    private String key = "";

    @Option(names = "--json", description = "As JSON.")
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

    /** For a lock that is held on one server, whose user may ask for the time. */
    private static Optional<Instant> serverTime(Connection connection, LockSnapshot lock) {
        if (!lock.isHeld() || connection.servers().size() > 1) {
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
