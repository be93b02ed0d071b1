package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.io.IOException;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A port of a server, which is not chosen for another one, by this or any other process, until this is closed.
 *
 * <p>While a server is down between {@code kill()} and {@code restart()}, nothing listens on its port. If another server took it, the
 * restart would fail; and sentinels, replicas or nodes that look for the server that is down would make the other one their own.
 *
 * <p>The reservation is a UDP socket on the port of the same number, which Redis does not use. It is seen by all processes that share the
 * ports, whichever user and temporary directory they have, and ends with this process at the latest. The lock of a file would be
 * seen by others, and a process loses it as soon as any of its class loaders closes the same file.
 */
final class ReservedPort implements AutoCloseable {
    private final int number;
    private final List<DatagramChannel> sockets;

    private ReservedPort(int number, List<DatagramChannel> sockets) {
        this.number = number;
        this.sockets = sockets;
    }

    /** Returns a port that is not reserved: others may take it while its server is down. */
    static ReservedPort unreserved(int number) {
        return new ReservedPort(number, List.of());
    }

    /**
     * Reserves a port.
     *
     * @param more ports that its server needs too
     * @return empty if one of them is reserved already
     */
    static Optional<ReservedPort> reserve(int number, int... more) {
        List<DatagramChannel> sockets = new ArrayList<>();
        ReservedPort reserved = new ReservedPort(number, sockets);
        try {
            sockets.add(bound(number));
            for (int port : more) {
                sockets.add(bound(port));
            }
        } catch (BindException taken) {
            reserved.close();
            return Optional.empty();
        } catch (IOException notPermitted) {
            // A server whose port is not reserved is better than none.
        }
        return Optional.of(reserved);
    }

    private static DatagramChannel bound(int port) throws IOException {
        DatagramChannel socket = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            return socket.bind(RespConnection.address(port));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    int number() {
        return number;
    }

    /** Lets others choose the port. */
    @Override
    public void close() {
        for (DatagramChannel socket : sockets) {
            try {
                socket.close();
            } catch (IOException closedAnyway) {
                // Nothing was sent that could be lost.
            }
        }
    }
}
