package io.keyhold.doctor;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a run of the doctor.
 *
 * @param findings the findings for each server by its address, and for the topology by its name: {@link #QUORUM}, {@link #SENTINEL} or
 *     {@link #CLUSTER}; in the order of the checks
 * @param kind the topology: {@code single}, {@code quorum}, {@code sentinel} or {@code cluster}
 * @param nodes the servers of the topology, as far as they are known
 */
public record Diagnosis(Map<String, List<Finding>> findings, String kind, List<TopologyNode> nodes) {

    /** The key of the findings that concern the quorum as a whole, in place of an address. */
    public static final String QUORUM = "quorum";

    /** The key of the findings that concern the sentinels. */
    public static final String SENTINEL = "sentinel";

    /** The key of the findings that concern the cluster as a whole. */
    public static final String CLUSTER = "cluster";

    /** The keys that are not addresses of servers. */
    public static final List<String> GROUPS = List.of(QUORUM, SENTINEL, CLUSTER);

    /** Copies the collections. */
    public Diagnosis {
        findings = Collections.unmodifiableMap(new LinkedHashMap<>(findings));
        nodes = List.copyOf(nodes);
    }

    /** Returns whether a key of the findings is the address of a server. */
    public static boolean isServer(String key) {
        return !GROUPS.contains(key);
    }

    /** Returns the worst level of all findings. */
    public Level worst() {
        return all().stream().map(Finding::level).max(Comparator.naturalOrder()).orElse(Level.OK);
    }

    /** Returns all findings. */
    public List<Finding> all() {
        return findings.values().stream().flatMap(Collection::stream).toList();
    }
}
