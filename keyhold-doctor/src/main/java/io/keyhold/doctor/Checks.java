package io.keyhold.doctor;

import io.keyhold.Keyhold;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockInspector;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.List;

/** The list of checks, and the findings for servers that cannot be reached or refuse a check. */
final class Checks {

    private Checks() {}

    /** Checks one server, with a client of it. A server that cannot be reached has a single finding. */
    static List<Finding> ofServer(Server server, Keyhold keyhold, Deployment deployment, DoctorOptions options) {
        List<Finding> findings = new ArrayList<>(ofPrimary(server, deployment));
        if (findings.size() > 1 && !server.isSentinel()) {
            findings.addAll(ofLocks(List.of(server), keyhold, options));
        }
        return findings;
    }

    /** Checks one server without its locks. */
    static List<Finding> ofPrimary(Server server, Deployment deployment) {
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
    static List<Finding> ofLocks(List<Server> servers, Keyhold keyhold, DoctorOptions options) {
        List<Check> checks = new ArrayList<>();
        options.trialKey().ifPresent(key -> checks.add(new TrialCheck(keyhold, key)));
        checks.add(new LeftoversCheck(servers, keyhold.inspect(), options.deep()));
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
    static List<Finding> ofQuorum(List<Server> servers, LockInspector inspector) {
        List<Check> checks = List.of(new QuorumNodesCheck(servers), new QuorumVotesCheck(inspector));
        return checks.stream().map(Checks::result).toList();
    }

    /** Runs a check. */
    static Finding result(Check check) {
        try {
            return check.run();
        } catch (RedisErrorException | StoreRefusedException refused) {
            return check.unchecked(
                    String.valueOf(refused.getMessage()),
                    "Run the doctor as a user with the permissions for INFO, CONFIG GET, TIME and SCAN.");
        } catch (RedisConnectionException | StoreUnavailableException unreachable) {
            return check.fail(
                    String.valueOf(unreachable.getMessage()),
                    "Without a connection to the server no lock can be acquired or renewed.",
                    "Check that the server runs, that the address is right, and that no firewall blocks it.");
        }
    }
}
