package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;

/**
 * Chooses a free port of this host, and reserves it.
 *
 * <p>The ports lie below those which Linux (from 32768) and macOS (from 49152) hand out to outgoing connections. While
 * a server is down between {@code kill()} and {@code restart()}, such a port could go to any client on the machine, even
 * to the very client that keeps trying to reconnect: it would connect to itself and keep the server out.
 */
final class Ports {
    private static final int FIRST = 20_000;
    private static final int END = 32_768;
    /** Where a server opens the port for the other nodes, seen from its own: cluster-port needs Redis 7.0. */
    private static final int CLUSTER_BUS = 10_000;

    private static final int MAX_ATTEMPTS = 1_000;

    private Ports() {}

    static ReservedPort chooseFree() {
        return choose(candidates(END));
    }

    /** Chooses a port for a node of a cluster, whose other port, for the other nodes, is as free and as low. */
    static ReservedPort chooseFreeWithClusterBus() {
        return choose(candidates(END - CLUSTER_BUS), CLUSTER_BUS);
    }

    private static IntSupplier candidates(int end) {
        return () -> ThreadLocalRandom.current().nextInt(FIRST, end);
    }

    /**
     * Chooses the first candidate that is neither in use nor reserved.
     *
     * @param offsets where the server needs more ports, seen from its own
     */
    static ReservedPort choose(IntSupplier candidates, int... offsets) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            int port = candidates.getAsInt();
            int[] more = Arrays.stream(offsets).map(offset -> port + offset).toArray();
            Optional<ReservedPort> reserved = ReservedPort.reserve(port, more);
            if (reserved.isPresent()) {
                if (isFree(port) && Arrays.stream(more).allMatch(Ports::isFree)) {
                    return reserved.get();
                }
                reserved.get().close();
            }
        }
        throw new EmbeddedRedisException("no free port on " + EmbeddedRedis.HOST + " in " + MAX_ATTEMPTS
                + " attempts at ports from " + FIRST + " on");
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            // As redis-server does: connections of an earlier server that linger on this port are no obstacle.
            socket.setReuseAddress(true);
            socket.bind(RespConnection.address(port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
