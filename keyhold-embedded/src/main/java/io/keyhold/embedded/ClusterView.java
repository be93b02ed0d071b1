package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The cluster as one node sees it, by its reply to {@code CLUSTER NODES}. */
record ClusterView(List<Node> nodes) {

    /**
     * One line of the reply.
     *
     * @param slots ranges such as {@code 0-5460}, without those that are being moved
     */
    record Node(
            String id,
            String port,
            Set<String> flags,
            String master,
            long epoch,
            boolean connected,
            List<String> slots) {

        /** Reads {@code id host:port@bus[,name] flags master ping pong epoch state slot…}. */
        static Node of(String line) {
            String[] words = line.split(" ", -1);
            String address = words[1];
            String port = address.substring(address.lastIndexOf(':', address.indexOf('@')) + 1, address.indexOf('@'));
            List<String> slots = Arrays.stream(words)
                    .skip(8)
                    .filter(each -> !each.isEmpty() && !each.startsWith("["))
                    .toList();
            return new Node(
                    words[0],
                    port,
                    Set.of(words[2].split(",", -1)),
                    words[3],
                    Long.parseLong(words[6]),
                    words[7].equals("connected"),
                    slots);
        }

        boolean isMyself() {
            return flags.contains("myself");
        }

        boolean isMaster() {
            return flags.contains("master");
        }

        boolean isHealthy() {
            return (connected || isMyself())
                    && flags.stream()
                            .allMatch(
                                    each -> Set.of("myself", "master", "slave").contains(each));
        }

        boolean serves(int slot) {
            return slots.stream().anyMatch(range -> {
                int dash = range.indexOf('-');
                int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
                return first <= slot && slot <= last;
            });
        }

        /** Returns what all nodes must agree on: not the flag "myself", nor the state of the connection. */
        String position() {
            return port + (isMaster() ? " master " + slots : " replica of " + master);
        }
    }

    static ClusterView of(RespConnection.Reply reply) {
        return new ClusterView(reply.text().lines().map(Node::of).toList());
    }

    Node myself() {
        return nodes.stream().filter(Node::isMyself).findFirst().orElseThrow();
    }

    Optional<Node> node(EmbeddedRedis server) {
        String port = Integer.toString(server.port());
        return nodes.stream().filter(each -> each.port().equals(port)).findFirst();
    }

    boolean knows(EmbeddedRedis server) {
        return node(server).filter(Node::isHealthy).isPresent();
    }

    /** Returns the positions of these servers, in the order of their ports. */
    List<String> positions(List<EmbeddedRedis> servers) {
        return servers.stream()
                .sorted(Comparator.comparingInt(EmbeddedRedis::port))
                .map(each -> node(each).map(Node::position).orElse("unknown"))
                .toList();
    }
}
