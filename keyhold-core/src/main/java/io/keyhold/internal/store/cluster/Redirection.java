package io.keyhold.internal.store.cluster;

import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisErrorException;
import java.util.Optional;

/**
 * Where a node sends a client instead of executing its command: {@code MOVED slot host:port} or {@code ASK slot host:port}.
 *
 * @param lasting whether the slot is there for good; if not, only this key is, while the slot is being moved
 * @param slot which slot
 * @param to the node that has it
 */
record Redirection(boolean lasting, int slot, RedisAddress to) {

    private static final int PARTS = 3;

    /**
     * Reads an error of the node at this address; empty if it is no redirection. A node that does not know the other's host names only the port, or {@code ?} for
     * a host without the name by which nodes are to be called.
     */
    static Optional<Redirection> read(RedisErrorException error, RedisAddress from) {
        String[] parts = String.valueOf(error.getMessage()).split(" ", -1);
        boolean lasting = parts[0].equals("MOVED");
        if (parts.length < PARTS || !(lasting || parts[0].equals("ASK"))) {
            return Optional.empty();
        }
        int colon = parts[2].lastIndexOf(':');
        try {
            int port = Integer.parseInt(parts[2].substring(colon + 1));
            String host = parts[2].substring(0, Math.max(0, colon)).replaceAll("[\\[\\]]", "");
            return Optional.of(new Redirection(
                    lasting, Integer.parseInt(parts[1]), new RedisAddress(ClusterReply.host(host, from), port)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
