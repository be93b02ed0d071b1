package io.keyhold.tests.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An address that stays the same while the server behind it changes, as a load balancer or a name has it: connections that are
 * open stay where they lead to, and new ones lead to the new server.
 */
final class StableAddress implements AutoCloseable {

    private final ServerSocket listener;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile int target;

    private StableAddress(ServerSocket listener, int target) {
        this.listener = listener;
        this.target = target;
    }

    /** Leads to this port of the local host. */
    static StableAddress of(int port) {
        try {
            StableAddress address = new StableAddress(new ServerSocket(0, 64, InetAddress.getLoopbackAddress()), port);
            start("accept", address::acceptUntilClosed);
            return address;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on new connections lead to this port. */
    void leadTo(int port) {
        target = port;
    }

    String uri() {
        return "redis://127.0.0.1:" + listener.getLocalPort();
    }

    private void acceptUntilClosed() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                open.add(client);
                open.add(server);
                start("requests", () -> pump(client, server));
                start("replies", () -> pump(server, client));
            } catch (IOException e) {
                // Closed, or a client or server that left: the loop goes on or ends.
            }
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One side has ended, and so does the other.
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, "stable-address-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
