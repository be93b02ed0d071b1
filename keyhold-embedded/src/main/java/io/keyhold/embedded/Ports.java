package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

/**
 * Chooses a free port of this host.
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

    static int chooseFree() {
        return choose(END, Ports::isFree);
    }

    /** Chooses a port for a node of a cluster, whose other port, for the other nodes, is as free and as low. */
    static int chooseFreeWithClusterBus() {
        return choose(END - CLUSTER_BUS, port -> isFree(port) && isFree(port + CLUSTER_BUS));
    }

    private static int choose(int end, IntPredicate suitable) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, end);
            if (suitable.test(port)) {
                return port;
            }
        }
        throw new EmbeddedRedisException("no free port between " + FIRST + " and " + (end - 1) + " on "
                + EmbeddedRedis.HOST + " in " + MAX_ATTEMPTS + " attempts");
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
