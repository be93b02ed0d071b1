package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.cli.doctor.Checks;
import io.keyhold.cli.doctor.ClusterCheck;
import io.keyhold.cli.doctor.Deployment;
import io.keyhold.cli.doctor.Finding;
import io.keyhold.cli.doctor.SentinelCheck;
import io.keyhold.cli.doctor.Server;
import io.keyhold.cli.view.DoctorPage;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisUri;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One run of the doctor: finds the servers of the topology that the URI names, and checks each. */
final class DoctorRun implements AutoCloseable {

    private static final String CLIENT = "keyhold-doctor";

    private final Connection connection;
    private final String trialKey;
    private final boolean deep;
    private final List<Server> opened = new ArrayList<>();
    private final Map<String, List<Finding>> findings = new LinkedHashMap<>();

    /** Uses this key for the trial lock, else a random one. */
    DoctorRun(Connection connection, @Nullable String key, boolean deep) {
        this.connection = connection;
        this.trialKey = key != null ? key : "keyhold-doctor:" + UUID.randomUUID();
        this.deep = deep;
    }

    /** Returns the findings for each server by its address, and for the topology by its name. */
    Map<String, List<Finding>> findings() {
        RedisUri first = connection.servers().get(0);
        switch (connection.topology()) {
            case SINGLE -> servers();
            case SENTINEL -> sentinel(first);
            case CLUSTER -> cluster(first);
        }
        return findings;
    }

    private void servers() {
        List<RedisUri> uris = connection.servers();
        Deployment deployment = uris.size() > 1 ? Deployment.QUORUM_NODE : Deployment.SINGLE;
        for (RedisUri uri : uris) {
            server(uri, uri, connection.isLocal() ? Deployment.LOCAL : deployment);
        }
        if (uris.size() > 1) {
            try (Keyhold quorum = connection.client(CLIENT)) {
                findings.put(DoctorPage.QUORUM, Checks.ofQuorum(List.copyOf(opened), quorum.inspect()));
            }
        }
    }

    private void sentinel(RedisUri uri) {
        List<Server> sentinels = uri.addresses().stream()
                .map(address -> open(uri.forSentinel(address)))
                .toList();
        SentinelCheck check = new SentinelCheck(uri.masterName().orElseThrow(), sentinels);
        findings.put(DoctorPage.SENTINEL, List.of(Checks.result(check)));
        check.master().ifPresent(master -> server(uri.forServer(master), uri, Deployment.SENTINEL_MASTER));
    }

    private void cluster(RedisUri uri) {
        Map<RedisAddress, Server> nodes = new LinkedHashMap<>();
        uri.addresses().forEach(address -> nodes.put(address, open(uri.forServer(address))));
        ClusterCheck check = new ClusterCheck(nodes);
        List<Finding> group = new ArrayList<>(List.of(Checks.result(check)));
        findings.put(DoctorPage.CLUSTER, group);
        List<Server> primaries = check.primaries().stream()
                .map(address -> open(uri.forServer(address)))
                .toList();
        for (Server primary : primaries) {
            findings.put(primary.address(), Checks.ofPrimary(primary, Deployment.CLUSTER_PRIMARY));
        }
        if (!primaries.isEmpty()) {
            try (Keyhold keyhold = connection.client(CLIENT)) {
                group.addAll(Checks.ofLocks(primaries, keyhold, scope(Deployment.CLUSTER_PRIMARY)));
            }
        }
    }

    /** Checks the server at this URI, with a client of the given one, which may name its sentinels. */
    private void server(RedisUri uri, RedisUri client, Deployment deployment) {
        Server server = open(uri);
        try (Keyhold keyhold = Keyhold.builder().uri(client).clientName(CLIENT).build()) {
            findings.put(server.address(), Checks.ofServer(server, keyhold, scope(deployment)));
        }
    }

    private Checks.Scope scope(Deployment deployment) {
        return new Checks.Scope(trialKey, deep, deployment);
    }

    private Server open(RedisUri uri) {
        Server server = new Server(JedisDriver.open(uri.withClientName(CLIENT)));
        opened.add(server);
        return server;
    }

    @Override
    public void close() {
        opened.forEach(Server::close);
    }
}
