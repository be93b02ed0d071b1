package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.cli.doctor.Checks;
import io.keyhold.cli.doctor.Deployment;
import io.keyhold.cli.doctor.Finding;
import io.keyhold.cli.doctor.Server;
import io.keyhold.cli.view.DoctorPage;
import io.keyhold.cli.view.Json;
import io.keyhold.cli.view.Output;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks a server, or each server of a quorum, for what endangers locks. */
@Command(
        description = {
            "Checks the server for what endangers locks, and shows what to do about it.",
            "Exits with 0 if every check passed, 1 for a warning, 2 if locks fail or can be held twice, and 204 if no"
                    + " server can be reached."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  keyhold doctor --redis redis://locks.example:6379",
            "  keyhold doctor --key invoice:doctor       if this user may lock only invoice:*",
            "  keyhold doctor --json | jq '.servers[].findings[] | select(.level != \"OK\")'"
        })
final class DoctorCommand implements Callable<Integer> {

    private static final String CLIENT = "keyhold-doctor";

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "The key of the trial lock. Default: keyhold-doctor: and a random number.")
    private @Nullable String key;

    @Option(names = "--deep", description = "Search for leftovers even among more than a million keys.")
    private boolean deep;

    @Override
    public Integer call() {
        KeyRules.checkReadable(key != null ? List.of(key) : List.of());
        Connection connection = common.connection();
        Map<String, List<Finding>> findings = findings(connection);
        new Output()
                .lines(
                        json
                                ? List.of(Json.pretty(DoctorPage.json(findings)))
                                : DoctorPage.of(findings, Terminal.colours()));
        return exitCode(findings);
    }

    private Map<String, List<Finding>> findings(Connection connection) {
        List<RedisUri> uris = connection.servers();
        String trialKey = key != null ? key : "keyhold-doctor:" + UUID.randomUUID();
        Checks.Scope scope = new Checks.Scope(trialKey, deep, deployment(connection));
        Map<String, List<Finding>> findings = new LinkedHashMap<>();
        List<Server> servers = new ArrayList<>();
        try {
            for (RedisUri uri : uris) {
                Server server = new Server(JedisDriver.open(uri.withClientName(CLIENT)));
                servers.add(server);
                try (Keyhold keyhold = client(uri)) {
                    findings.put(server.address(), Checks.ofServer(server, keyhold, scope));
                }
            }
            if (uris.size() > 1) {
                try (Keyhold quorum = connection.client(CLIENT)) {
                    findings.put(DoctorPage.QUORUM, Checks.ofQuorum(servers, quorum.inspect()));
                }
            }
            return findings;
        } finally {
            servers.forEach(Server::close);
        }
    }

    private static Deployment deployment(Connection connection) {
        if (connection.isLocal()) {
            return Deployment.LOCAL;
        }
        return connection.servers().size() > 1 ? Deployment.QUORUM_NODE : Deployment.SINGLE;
    }

    private static Keyhold client(RedisUri uri) {
        return Keyhold.builder().uri(uri).clientName(CLIENT).build();
    }

    /** Returns the exit code for the worst finding. A server that cannot be reached has a single finding. */
    static int exitCode(Map<String, List<Finding>> findings) {
        boolean reachable = findings.entrySet().stream()
                .anyMatch(server -> !server.getKey().equals(DoctorPage.QUORUM)
                        && server.getValue().size() > 1);
        if (!reachable) {
            return ExitCode.UNREACHABLE;
        }
        return switch (DoctorPage.worst(findings)) {
            case OK -> ExitCode.OK;
            case WARN -> ExitCode.NO;
            case FAIL -> ExitCode.DANGER;
        };
    }
}
