package io.keyhold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Stands between a client and a real server, and breaks their connections on purpose.
 *
 * <p>Each direction has one mode: pass, swallow or delay. A new mode replaces the old one, also for data that is still
 * held back, and holds for connections that are open as well as for new ones. All methods return at once and may be
 * called from any thread.
 */
public final class TcpProxy implements AutoCloseable {
    private static final Duration MAX_DELAY = Duration.ofDays(1);

    private final Traffic traffic = new Traffic();
    private final ProxyListener listener;

    private TcpProxy(ServerSocket socket, ServerAddress server) {
        this.listener = ProxyListener.start(socket, server, traffic);
    }

    /** Listens on a free port of 127.0.0.1 and passes everything on to the given server. */
    public static TcpProxy to(String host, int port) {
        ServerAddress server = ServerAddress.of(host, port);
        try {
            return new TcpProxy(new ServerSocket(0, ProxyListener.BACKLOG, ServerAddress.local()), server);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + ServerAddress.LOCAL, e);
        }
    }

    /** Returns the port to connect to, instead of the server's. */
    public int port() {
        return listener.port();
    }

    /** Returns where to connect to, as {@code redis://127.0.0.1:PORT}. */
    public String uri() {
        return "redis://" + ServerAddress.LOCAL + ":" + port();
    }

    /** Requests reach the server, its replies vanish. Connections stay open, even if the server closes them. */
    public void swallowReplies() {
        traffic.replies().swallow();
    }

    /** Requests vanish. Connections stay open, even if the client closes them. */
    public void swallowRequests() {
        traffic.requests().swallow();
    }

    /**
     * Delays every reply for this long, in order.
     *
     * @param delay from zero to one day
     */
    public void delayReplies(Duration delay) {
        traffic.replies().delay(checked(delay));
    }

    /**
     * Delays every request for this long, in order.
     *
     * @param delay from zero to one day
     */
    public void delayRequests(Duration delay) {
        traffic.requests().delay(checked(delay));
    }

    /** Passes new connections on to another server, as after a failover behind one address. Open ones stay where they are. */
    public void redirect(String host, int port) {
        listener.redirect(ServerAddress.of(host, port));
    }

    /** Resets all open connections. New ones are accepted, and one that is just being made may still be new. */
    public void cut() {
        listener.cut();
    }

    /**
     * Loses one reply after the server has executed the request: the next request that contains the text is forwarded,
     * what the server replies is thrown away, and then that connection is reset. Other connections notice nothing.
     *
     * @param text ASCII, and part of one argument of the request
     * @return completes when the reply has been thrown away and the connection is reset; exceptionally if the connection
     *     ends before there is a reply, and cancelled if {@link #heal()} or {@link #close()} comes first
     */
    public CompletableFuture<Void> cutAfterNextRequestContaining(String text) {
        return traffic.traps().arm(text);
    }

    /** Resets all open connections, and closes new ones as soon as they are accepted. */
    public void refuse() {
        listener.refuse();
    }

    /**
     * Passes everything again and accepts connections again. What was held back is delivered at once, in order; what was
     * swallowed is gone.
     */
    public void heal() {
        traffic.pass();
        listener.accept();
    }

    /** Returns how many connections are open now. */
    public int connections() {
        return listener.connections();
    }

    /** Returns how many connections there have been since the start, including those that {@link #refuse()} closed at once. */
    public long accepted() {
        return listener.accepted();
    }

    /** Resets all connections and listens no longer. */
    @Override
    public void close() {
        listener.close();
        traffic.pass();
    }

    private static Duration checked(Duration delay) {
        if (delay.isNegative() || delay.compareTo(MAX_DELAY) > 0) {
            throw new IllegalArgumentException("delay " + delay + ": must be from zero to " + MAX_DELAY);
        }
        return delay;
    }
}
