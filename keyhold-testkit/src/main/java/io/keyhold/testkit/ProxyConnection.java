package io.keyhold.testkit;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A client's connection and the one to the server that belongs to it. They end together. */
final class ProxyConnection {
    private final Socket client;
    private final Socket server = new Socket();
    private final Traffic traffic;
    private final Consumer<ProxyConnection> whenEnded;
    private final LostReply lostReply;
    private final List<ProxyPump> pumps = new ArrayList<>();
    private boolean ended;

    ProxyConnection(Socket client, Traffic traffic, Consumer<ProxyConnection> whenEnded) {
        this.client = client;
        this.traffic = traffic;
        this.whenEnded = whenEnded;
        this.lostReply = new LostReply(traffic.traps());
    }

    /** Connects in the background: a slow server must not keep other clients waiting. */
    void open(ServerAddress address) {
        DaemonThread.named("proxy-" + client.getLocalPort() + "-connect", () -> connect(address))
                .start();
    }

    private void connect(ServerAddress address) {
        try {
            client.setTcpNoDelay(true);
            address.connect(server);
            start("requests", client, new RequestDelivery(server, traffic.requests(), lostReply));
            start("replies", server, new ReplyDelivery(client, server, traffic.replies(), lostReply));
        } catch (IOException noServer) {
            cut();
        }
    }

    private synchronized void start(String direction, Socket source, Delivery delivery) throws IOException {
        if (!ended) {
            String name = "proxy-" + client.getLocalPort() + "-" + direction;
            ProxyPump pump = new ProxyPump(name, source.getInputStream(), delivery, this);
            pumps.add(pump);
            pump.start();
        }
    }

    /** Ends both connections in order: a peer that still reads gets what was sent, and then the end. */
    void close() {
        end();
    }

    /** Ends both connections with a reset: what was on its way is lost. */
    void cut() {
        for (Socket each : List.of(client, server)) {
            try {
                each.setSoLinger(true, 0);
            } catch (IOException alreadyClosed) {
                // Then there is nothing left to reset.
            }
        }
        end();
    }

    private void end() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        closeQuietly(client);
        closeQuietly(server);
        pumps.forEach(ProxyPump::stop);
        whenEnded.accept(this);
        lostReply.connectionEnded();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // It is closed nevertheless.
        }
    }
}
