package io.keyhold.doctor;

import io.keyhold.Keyhold;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisUri;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the servers of a topology and checks each for what endangers locks.
 *
 * <pre>{@code
 * Diagnosis diagnosis = Doctor.examine(target, DoctorOptions.readOnly());
 * }</pre>
 */
public final class Doctor {

    /** The client name of the doctor's connections. */
    public static final String CLIENT = "keyhold-doctor";

    private final DoctorTarget target;
    private final DoctorOptions options;
    private final List<Server> opened = new ArrayList<>();
    private final Map<String, List<Finding>> findings = new LinkedHashMap<>();
    private final TopologyView view = new TopologyView();

    private Doctor(DoctorTarget target, DoctorOptions options) {
        this.target = target;
        this.options = options;
    }

    /** Checks these servers. A server that cannot be reached is a finding, and no exception. */
    public static Diagnosis examine(DoctorTarget target, DoctorOptions options) {
        Doctor doctor = new Doctor(target, options);
        try {
            return doctor.diagnosis();
        } finally {
            doctor.opened.forEach(Server::close);
        }
    }

    private Diagnosis diagnosis() {
        RedisUri first = target.servers().get(0);
        String kind = switch (first.topology()) {
            case SINGLE -> servers();
            case SENTINEL -> sentinel(first);
            case CLUSTER -> cluster(first);
        };
        return new Diagnosis(findings, kind, view.nodes());
    }

    private String servers() {
        List<RedisUri> uris = target.servers();
        boolean quorum = uris.size() > 1;
        Deployment deployment = quorum ? Deployment.QUORUM_NODE : Deployment.SINGLE;
        for (RedisUri uri : uris) {
            Server server = server(uri, uri, target.local() ? Deployment.LOCAL : deployment);
            if (!quorum) {
                view.addWithReplicas(server);
            }
        }
        if (quorum) {
            try (Keyhold client = target.client().get()) {
                findings.put(Diagnosis.QUORUM, Checks.ofQuorum(List.copyOf(opened), client.inspect()));
                client.inspect().quorum().ifPresent(snapshot -> snapshot.nodes().forEach(this::quorumNode));
            }
            return Diagnosis.QUORUM;
        }
        return "single";
    }

    private void quorumNode(QuorumNode node) {
        String state = node.error().isPresent()
                ? TopologyNode.UNREACHABLE
                : node.quarantine().isPresent() ? TopologyNode.QUARANTINED : TopologyNode.OK;
        String votes = node.quarantine()
                .map(left -> "votes in " + (left.toSeconds() + 1) + " s")
                .orElse("votes");
        view.add(new TopologyNode(node.address(), "node", state, node.error().orElse(votes)));
    }

    private String sentinel(RedisUri uri) {
        List<Server> sentinels = uri.addresses().stream()
                .map(address -> open(uri.forSentinel(address)))
                .toList();
        SentinelCheck check = new SentinelCheck(uri.masterName().orElseThrow(), sentinels);
        findings.put(Diagnosis.SENTINEL, List.of(Checks.result(check)));
        sentinels.forEach(sentinel -> view.add(sentinel, "sentinel"));
        check.master()
                .ifPresent(
                        master -> view.addWithReplicas(server(uri.forServer(master), uri, Deployment.SENTINEL_MASTER)));
        return Diagnosis.SENTINEL;
    }

    private String cluster(RedisUri uri) {
        Map<RedisAddress, Server> nodes = new LinkedHashMap<>();
        uri.addresses().forEach(address -> nodes.put(address, open(uri.forServer(address))));
        ClusterCheck check = new ClusterCheck(nodes);
        List<Finding> group = new ArrayList<>(List.of(Checks.result(check)));
        findings.put(Diagnosis.CLUSTER, group);
        check.nodes().forEach(view::add);
        List<Server> primaries = check.primaries().stream()
                .map(address -> open(uri.forServer(address)))
                .toList();
        for (Server primary : primaries) {
            findings.put(primary.address(), Checks.ofPrimary(primary, Deployment.CLUSTER_PRIMARY));
        }
        if (!primaries.isEmpty()) {
            try (Keyhold keyhold = target.client().get()) {
                group.addAll(Checks.ofLocks(primaries, keyhold, options));
            }
        }
        return Diagnosis.CLUSTER;
    }

    /** Checks the server at this URI, with a client of the given one, which may name its sentinels. */
    private Server server(RedisUri uri, RedisUri client, Deployment deployment) {
        Server server = open(uri);
        try (Keyhold keyhold = Keyhold.builder().uri(client).clientName(CLIENT).build()) {
            findings.put(server.address(), Checks.ofServer(server, keyhold, deployment, options));
        }
        return server;
    }

    private Server open(RedisUri uri) {
        Server server = new Server(target.drivers().apply(uri.withClientName(CLIENT)));
        opened.add(server);
        return server;
    }
}
