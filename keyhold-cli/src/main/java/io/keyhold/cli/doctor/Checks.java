package io.keyhold.cli.doctor;

import io.keyhold.Keyhold;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockInspector;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.List;

/** The list of checks, and the findings for servers that cannot be reached or refuse a check. */
public final class Checks {

    private Checks() {}

    /**
     * What to check.
     *
     * @param key the key of the trial lock
     * @param deep whether to scan all keys, however many there are
     * @param deployment how the server is used
     */
    public record Scope(String key, boolean deep, Deployment deployment) {}

    /** Checks one server, with a client of it. A server that cannot be reached has a single finding. */
    public static List<Finding> ofServer(Server server, Keyhold keyhold, Scope scope) {
        List<Finding> findings = new ArrayList<>(ofPrimary(server, scope.deployment()));
        if (findings.size() > 1 && !server.isSentinel()) {
            findings.addAll(ofLocks(List.of(server), keyhold, scope));
        }
        return findings;
    }

    /** Checks one server without its locks. */
    public static List<Finding> ofPrimary(Server server, Deployment deployment) {
        Finding connection = result(new ConnectionCheck(server));
        if (connection.level() == Level.FAIL) {
            return List.of(connection);
        }
        List<Finding> findings = new ArrayList<>(List.of(connection));
        List<Check> checks =
                server.isSentinel() ? List.of(new RoleCheck(server, deployment)) : checks(server, deployment);
        checks.forEach(check -> findings.add(result(check)));
        return findings;
    }

    /** Checks the locks of these servers, with a client of all of them. */
    public static List<Finding> ofLocks(List<Server> servers, Keyhold keyhold, Scope scope) {
        List<Check> checks = List.of(
                new TrialCheck(keyhold, scope.key()), new LeftoversCheck(servers, keyhold.inspect(), scope.deep()));
        return checks.stream().map(Checks::result).toList();
    }

    private static List<Check> checks(Server server, Deployment deployment) {
        return List.of(
                new VersionCheck(server),
                new RoleCheck(server, deployment),
                new EvictionCheck(server),
                new MemoryCheck(server),
                new ReplicationCheck(server),
                new PersistenceCheck(server, deployment),
                new ClockCheck(server),
                new LatencyCheck(server, System::nanoTime),
                new ScriptingCheck(server),
                new PubSubCheck(server));
    }

    /** Checks the quorum of these servers, with the inspector of its client. */
    public static List<Finding> ofQuorum(List<Server> servers, LockInspector inspector) {
        List<Check> checks = List.of(new QuorumNodesCheck(servers), new QuorumVotesCheck(inspector));
        return checks.stream().map(Checks::result).toList();
    }

    /** Runs a check. */
    public static Finding result(Check check) {
        try {
            return check.run();
        } catch (RedisErrorException | StoreRefusedException refused) {
            return Finding.unchecked(
                    check,
                    String.valueOf(refused.getMessage()),
                    "Run the doctor as a user with the permissions for INFO, CONFIG GET, TIME and SCAN.");
        } catch (RedisConnectionException | StoreUnavailableException unreachable) {
            return Finding.fail(
                    check,
                    String.valueOf(unreachable.getMessage()),
                    "Without a connection to the server no lock can be acquired or renewed.",
                    "Check that the server runs, that the address is right, and that no firewall blocks it.");
        }
    }
}
