package io.keyhold.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.testkit.StallWatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host with several addresses, some of which do not reply. */
@Timeout(180)
class SeveralAddressesTest {

    private final List<Socket> queued = new ArrayList<>();
    private ServerSocket silent;

    /** Fills the queue of a server that accepts nothing. */
    @BeforeEach
    void startSilentServer() throws IOException {
        silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try {
            while (true) {
                Socket next = new Socket();
                queued.add(next);
                next.connect(silent.getLocalSocketAddress(), 300);
            }
        } catch (SocketTimeoutException e) {
            // It is full.
        }
    }

    @AfterEach
    void stopSilentServer() throws IOException {
        for (Socket socket : queued) {
            socket.close();
        }
        silent.close();
    }

    /** Each of them for the whole time would take 100 s. */
    @Test
    void addressesShareTheTimeout() {
        CompletableFuture<Socket> connect =
                CompletableFuture.supplyAsync(() -> connect(Collections.nCopies(100, address(silent)), 1000));
        assertThatThrownBy(() -> connect.get(50, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(IOException.class)
                .hasRootCauseMessage("no address of the host accepts connections");
    }

    @Test
    void silentAddressLeavesTimeForTheOthers() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            StallWatch.undisturbed(() -> {
                try (Socket socket = ReplySocket.open(List.of(address(silent), address(server)), 2000)) {
                    assertThat(socket.getPort()).isEqualTo(server.getLocalPort());
                }
            });
        }
    }

    private static Socket connect(List<InetSocketAddress> addresses, int timeoutMillis) {
        try {
            return ReplySocket.open(addresses, timeoutMillis);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InetSocketAddress address(ServerSocket server) {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }
}
