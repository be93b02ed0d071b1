package io.keyhold.internal.store.cluster;

import io.keyhold.internal.store.redis.HashSlot;
import io.keyhold.spi.RedisAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What one node says of its cluster, in its replies to {@code CLUSTER INFO} and {@code CLUSTER SLOTS}.
 *
 * @param ok whether it takes part in a cluster that serves all slots; a node that is cut off from the others says no
 * @param epoch the largest configuration epoch that it knows
 * @param ranges which slots have which primary
 */
record ClusterReply(boolean ok, long epoch, List<Range> ranges) {

    /** The first line of the reply. Jedis 7.0 to 7.4 leaves the format of a RESP3 text in front of it. */
    private static final Pattern STATE = Pattern.compile("^(?:txt:)?cluster_state:(\\S+)", Pattern.MULTILINE);

    private static final Pattern EPOCH = Pattern.compile("^cluster_current_epoch:(\\d+)", Pattern.MULTILINE);

    /** Some slots and their primary. */
    record Range(int first, int last, RedisAddress primary) {}

    /** Reads the replies of the node at this address; empty if they are not what a node of a cluster says. */
    static Optional<ClusterReply> read(RedisAddress asked, @Nullable Object info, @Nullable Object slots) {
        if (!(info instanceof String text) || !(slots instanceof List<?> entries)) {
            return Optional.empty();
        }
        Matcher state = STATE.matcher(text);
        Matcher epoch = EPOCH.matcher(text);
        List<Range> ranges = new ArrayList<>();
        for (Object entry : entries) {
            Optional<Range> range = range(asked, entry);
            if (range.isEmpty()) {
                return Optional.empty();
            }
            ranges.add(range.get());
        }
        return Optional.of(new ClusterReply(
                state.find() && state.group(1).equals("ok"),
                epoch.find() ? Long.parseLong(epoch.group(1)) : 0,
                ranges));
    }

    /** Reads {@code first, last, primary, replicas…}. */
    private static Optional<Range> range(RedisAddress asked, @Nullable Object entry) {
        if (entry instanceof List<?> parts
                && parts.size() > 2
                && parts.get(0) instanceof Long first
                && parts.get(1) instanceof Long last
                && parts.get(2) instanceof List<?> primary
                && primary.size() > 1
                && primary.get(1) instanceof Long port
                && 0 <= first
                && first <= last
                && last < HashSlot.COUNT) {
            return Optional.of(new Range(
                    first.intValue(), last.intValue(), new RedisAddress(host(primary.get(0), asked), port.intValue())));
        }
        return Optional.empty();
    }

    /** A node that does not know the host of another, or its own, leaves it out: it is reached where the reply came from. */
    static String host(@Nullable Object told, RedisAddress asked) {
        return told instanceof String host && !host.isEmpty() && !host.equals("?") ? host : asked.host();
    }
}
