package io.keyhold.cli.doctor;

import io.keyhold.Keyhold;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockInspector;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.List;

/** The list of checks, and what is made of a server that does not answer them. */
public final class Checkup {

    private Checkup() {}

    /**
     * What a checkup is to look at.
     *
     * @param key a key that may be locked for a moment
     * @param deep whether to look at every key, however many there are
     * @param purpose what the server is for
     */
    public record Scope(String key, boolean deep, Purpose purpose) {}

    /** One server; the client is one of this server alone. */
    public static List<Finding> of(Server server, Keyhold keyhold, Scope scope) {
        Finding connection = examined(new ConnectionCheck(server));
        if (connection.level() == Level.FAIL) {
            return List.of(connection);
        }
        List<Finding> findings = new ArrayList<>(List.of(connection));
        checks(server, keyhold, scope).forEach(check -> findings.add(examined(check)));
        return findings;
    }

    private static List<Check> checks(Server server, Keyhold keyhold, Scope scope) {
        return List.of(
                new VersionCheck(server),
                new RoleCheck(server),
                new EvictionCheck(server),
                new MemoryCheck(server),
                new ReplicationCheck(server),
                new PersistenceCheck(server, scope.purpose()),
                new ClockCheck(server),
                new LatencyCheck(server, System::nanoTime),
                new ScriptingCheck(server),
                new PubSubCheck(server),
                new TrialCheck(keyhold, scope.key()),
                new LeftoversCheck(server, keyhold.inspect(), scope.deep()));
    }

    /** Several servers as the quorum that they are; the inspector is that of a client of all of them. */
    public static List<Finding> ofQuorum(List<Server> servers, LockInspector inspector) {
        List<Check> checks = List.of(new QuorumNodesCheck(servers), new QuorumVotesCheck(inspector));
        return checks.stream().map(Checkup::examined).toList();
    }

    static Finding examined(Check check) {
        try {
            return check.examine();
        } catch (RedisErrorException | StoreRefusedException refused) {
            return Finding.unchecked(
                    check,
                    String.valueOf(refused.getMessage()),
                    "Look again as a user who may: INFO, CONFIG GET, TIME and SCAN are needed for everything.");
        } catch (RedisConnectionException | StoreUnavailableException silent) {
            return Finding.fail(
                    check,
                    String.valueOf(silent.getMessage()),
                    "Who cannot reach the server can neither take a lock nor keep one.",
                    "See that the server runs, that the address is right, and that no firewall stands between.");
        }
    }
}
