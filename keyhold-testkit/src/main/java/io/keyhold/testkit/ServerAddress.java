package io.keyhold.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;

/** The server behind a proxy. */
record ServerAddress(String host, int port) {
    static final String LOCAL = "127.0.0.1";

    private static final int MAX_PORT = 65_535;

    static ServerAddress of(String host, int port) {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("host \"\": must not be empty");
        }
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + ": must be from 1 to " + MAX_PORT);
        }
        return new ServerAddress(host, port);
    }

    /** Where proxies listen: always the same family, whichever the JVM prefers. */
    static InetAddress local() throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    @SuppressWarnings("AddressSelection") // A test names one server with one address.
    void connect(Socket socket) throws IOException {
        socket.connect(new InetSocketAddress(host, port));
        socket.setTcpNoDelay(true);
    }
}
