package io.keyhold.embedded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A program that starts a topology, tells its ports and its directories, and ends with its input without closing anything. */
final class StartTopologyAndWait {
    private StartTopologyAndWait() {}

    public static void main(String[] arguments) throws IOException {
        List<EmbeddedRedis> servers = new ArrayList<>();
        switch (arguments[0]) {
            case "sentinel" -> {
                EmbeddedSentinel topology = EmbeddedSentinel.start();
                servers.addAll(topology.members());
                servers.addAll(topology.sentinels());
            }
            case "cluster" -> servers.addAll(EmbeddedCluster.start().nodes());
            default -> servers.addAll(EmbeddedReplicas.start().members());
        }
        System.out.println(
                servers.stream().map(each -> Integer.toString(each.port())).collect(Collectors.joining(" ")));
        System.out.println(
                servers.stream().map(each -> each.directory().toString()).collect(Collectors.joining(" ")));
        System.in.readAllBytes();
    }
}
