package io.keyhold.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

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
    private static final int MAX_ATTEMPTS = 1_000;

    private Ports() {}

    static int chooseFree() {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port)) {
                return port;
            }
        }
        throw new EmbeddedRedisException("no free port between " + FIRST + " and " + (END - 1) + " on "
                + EmbeddedRedis.HOST + " in " + MAX_ATTEMPTS + " attempts");
    }

    /** The port of {@link EmbeddedRedis#HOST}, without asking any resolver for it. */
    static InetSocketAddress address(int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            // As redis-server does: connections of an earlier server that linger on this port are no obstacle.
            socket.setReuseAddress(true);
            socket.bind(address(port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
