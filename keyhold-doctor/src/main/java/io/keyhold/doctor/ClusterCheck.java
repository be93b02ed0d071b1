package io.keyhold.doctor;

import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether the cluster serves all slots, and each primary has a replica. */
final class ClusterCheck extends Check {

    private static final String SLOTS = "16384";

    /** id, address, flags, primary, ping, pong, epoch, link, slots. */
    private static final int SLOT_FIELD = 8;

    private final Map<RedisAddress, Server> nodes;
    private List<RedisAddress> primaries = List.of();
    private List<TopologyNode> found = List.of();

    /** Asks the first of these nodes that replies. */
    ClusterCheck(Map<RedisAddress, Server> nodes) {
        super("cluster");
        this.nodes = nodes;
    }

    /** Returns the primaries with slots, if the check has found them. */
    List<RedisAddress> primaries() {
        return primaries;
    }

    /** Returns all nodes, if the check has found them. */
    List<TopologyNode> nodes() {
        return found;
    }

    @Override
    Finding run() {
        List<String> failures = new ArrayList<>();
        for (Map.Entry<RedisAddress, Server> node : nodes.entrySet()) {
            try {
                return asked(node.getKey(), node.getValue());
            } catch (RedisErrorException | RedisConnectionException failure) {
                failures.add(node.getValue().address() + ": " + failure.getMessage());
            }
        }
        boolean disabled = failures.stream().anyMatch(failure -> failure.contains("cluster support disabled"));
        return fail(
                (disabled ? "not a cluster (" : "no node replies (") + String.join("; ", failures) + ")",
                "Without the list of primaries no lock can be acquired or renewed.",
                disabled
                        ? "Use redis:// for a single server, or the addresses of nodes of a cluster."
                        : "Check that the nodes run, that the addresses are right, and that no firewall blocks them.");
    }

    private Finding asked(RedisAddress seed, Server node) {
        ServerInfo info = new ServerInfo(String.valueOf(node.call("CLUSTER", "INFO")));
        List<Node> all = String.valueOf(node.call("CLUSTER", "NODES"))
                .lines()
                .map(line -> Node.of(line, seed.host()))
                .toList();
        List<Node> serving =
                all.stream().filter(each -> each.has("master") && each.slots).toList();
        found = all.stream().map(each -> each.described(all)).toList();
        primaries = serving.stream().map(Node::address).toList();
        String state = info.field("cluster_state").orElse("unknown");
        String served = info.field("cluster_slots_ok").orElse("?");
        String seen =
                "state " + state + ", " + served + " of " + SLOTS + " slots served, " + serving.size() + " primaries, "
                        + all.stream().filter(each -> each.has("slave")).count() + " replicas";
        if (!state.equals("ok") || !served.equals(SLOTS)) {
            return fail(
                    seen,
                    "Locks in slots that are not served can be neither acquired nor renewed (CLUSTERDOWN).",
                    "redis-cli --cluster check " + node.address() + " shows what is missing; restart those nodes.");
        }
        String alone = serving.stream()
                .filter(primary -> all.stream().noneMatch(each -> each.isReplicaOf(primary)))
                .map(primary -> primary.address.toString())
                .collect(Collectors.joining(", "));
        return alone.isEmpty()
                ? ok(seen)
                : warn(
                        seen + "; without a replica: " + alone,
                        "If such a primary fails, the locks of its slots can be neither acquired nor renewed.",
                        "Add a replica to each primary.");
    }

    /** A line of CLUSTER NODES. */
    private record Node(String id, RedisAddress address, List<String> flags, Optional<String> primary, boolean slots) {

        static Node of(String line, String unnamedHost) {
            String[] fields = line.split(" ", -1);
            String address = fields[1].split("[@,]", -1)[0];
            int colon = address.lastIndexOf(':');
            String host = colon > 0 ? address.substring(0, colon) : unnamedHost;
            return new Node(
                    fields[0],
                    new RedisAddress(host, Integer.parseInt(address.substring(colon + 1))),
                    List.of(fields[2].split(",", -1)),
                    Optional.of(fields[3]).filter(id -> !id.equals("-")),
                    fields.length > SLOT_FIELD);
        }

        TopologyNode described(List<Node> all) {
            boolean replica = has("slave");
            String detail = replica
                    ? "replica of "
                            + all.stream()
                                    .filter(each -> primary.equals(Optional.of(each.id)))
                                    .map(each -> each.address.toString())
                                    .findFirst()
                                    .orElse("?")
                    : slots ? "serves slots" : "serves no slots";
            boolean down = has("fail") || has("fail?") || has("noaddr");
            return new TopologyNode(
                    address.toString(),
                    replica ? "replica" : "master",
                    down ? TopologyNode.UNREACHABLE : TopologyNode.OK,
                    detail);
        }

        boolean has(String flag) {
            return flags.contains(flag);
        }

        boolean isReplicaOf(Node other) {
            return primary.equals(Optional.of(other.id)) && !has("fail") && !has("noaddr");
        }
    }
}
