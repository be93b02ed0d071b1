package io.keyhold.internal.store.cluster;

import io.keyhold.internal.store.redis.HashSlot;
import io.keyhold.spi.RedisAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which primary has which slot, as one node of the cluster told it, with what redirections have told since. Does not change. */
final class SlotMap {

    private final long epoch;
    private final @Nullable ClusterNode[] owners;
    private final List<ClusterNode> primaries;

    private SlotMap(long epoch, @Nullable ClusterNode[] owners) {
        this.epoch = epoch;
        this.owners = owners;
        this.primaries = Arrays.stream(owners)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .distinct()
                .sorted(Comparator.comparing(node -> node.address().toString()))
                .toList();
    }

    /** Creates the map of a node's reply. {@code nodes} finds or opens the node at an address. */
    static SlotMap of(ClusterReply reply, Function<RedisAddress, ClusterNode> nodes) {
        @Nullable ClusterNode[] owners = new ClusterNode[HashSlot.COUNT];
        for (ClusterReply.Range range : reply.ranges()) {
            Arrays.fill(owners, range.first(), range.last() + 1, nodes.apply(range.primary()));
        }
        return new SlotMap(reply.epoch(), owners);
    }

    /** Returns this map with another owner of one slot. */
    SlotMap with(int slot, ClusterNode owner) {
        @Nullable ClusterNode[] changed = owners.clone();
        changed[slot] = owner;
        return new SlotMap(epoch, changed);
    }

    Optional<ClusterNode> owner(int slot) {
        return Optional.ofNullable(owners[slot]);
    }

    /** Returns the largest configuration epoch that the node knew. */
    long epoch() {
        return epoch;
    }

    /** Returns the nodes that have slots, in the order of their addresses. */
    List<ClusterNode> primaries() {
        return primaries;
    }

    /** Returns the slots of the primary at this address, in their order. */
    List<Integer> slots(RedisAddress primary) {
        return IntStream.range(0, owners.length)
                .filter(slot -> owner(slot)
                        .filter(node -> node.address().equals(primary))
                        .isPresent())
                .boxed()
                .toList();
    }

    boolean hasSameOwners(SlotMap other) {
        return Arrays.equals(owners, other.owners);
    }

    /** Returns how many slots each primary has. */
    Map<String, Integer> slotCounts() {
        return Arrays.stream(owners)
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .collect(Collectors.toMap(address -> address, address -> 1, Integer::sum, LinkedHashMap::new));
    }
}
