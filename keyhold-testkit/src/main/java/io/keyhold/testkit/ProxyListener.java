package io.keyhold.testkit;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Accepts connections and keeps those that are open. */
final class ProxyListener implements AutoCloseable {
    static final int BACKLOG = 128;

    private final ServerSocket socket;
    private ServerAddress server;
    private final Traffic traffic;
    private final Thread acceptor;
    private final Set<ProxyConnection> open = new HashSet<>();
    private long accepted;
    private boolean refusing;

    private ProxyListener(ServerSocket socket, ServerAddress server, Traffic traffic) {
        this.socket = socket;
        this.server = server;
        this.traffic = traffic;
        this.acceptor = DaemonThread.named("proxy-" + socket.getLocalPort() + "-accept", this::acceptUntilClosed);
    }

    static ProxyListener start(ServerSocket socket, ServerAddress server, Traffic traffic) {
        ProxyListener listener = new ProxyListener(socket, server, traffic);
        listener.acceptor.start();
        return listener;
    }

    int port() {
        return socket.getLocalPort();
    }

    private void acceptUntilClosed() {
        while (!socket.isClosed()) {
            try {
                take(socket.accept());
            } catch (IOException closedOrGoneAgain) {
                // Closed: the loop ends. Otherwise a client that left before it was accepted: no loss.
            }
        }
    }

    private void take(Socket client) {
        ProxyConnection connection = new ProxyConnection(client, traffic, this::forget);
        synchronized (this) {
            accepted++;
            if (!refusing) {
                // Known from here on, so that a cut() reaches it while it is still being made.
                open.add(connection);
                connection.open(server);
                return;
            }
        }
        connection.cut();
    }

    private synchronized void forget(ProxyConnection connection) {
        open.remove(connection);
    }

    synchronized int connections() {
        return open.size();
    }

    synchronized long accepted() {
        return accepted;
    }

    synchronized void redirect(ServerAddress other) {
        server = other;
    }

    synchronized void accept() {
        refusing = false;
    }

    void refuse() {
        synchronized (this) {
            refusing = true;
        }
        cut();
    }

    void cut() {
        List<ProxyConnection> all;
        synchronized (this) {
            all = List.copyOf(open);
            open.clear();
        }
        all.forEach(ProxyConnection::cut);
    }

    /** Waits for the accepting thread: until that lets go of the socket, the system goes on accepting connections. */
    @Override
    public void close() {
        try {
            socket.close();
            acceptor.join();
        } catch (IOException ignored) {
            // Nothing that a test could do about it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        refuse();
    }
}
