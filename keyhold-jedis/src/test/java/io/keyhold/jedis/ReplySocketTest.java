package io.keyhold.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class ReplySocketTest {

    private final ReplySocket socket = new ReplySocket();
    private ServerSocket server;
    private Socket peer;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        socket.connect(server.getLocalSocketAddress());
        socket.setSoTimeout(60_000);
        peer = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        peer.close();
        server.close();
    }

    @Test
    void waitingForInputTakesNothingFromItsReader() throws IOException {
        InputStream input = socket.getInputStream();
        assertThat(socket.awaitInput(1)).isFalse();
        assertThat(socket.awaitInput(0)).isFalse();
        byte[] sent = new byte[2000];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (byte) (i * 7);
        }
        peer.getOutputStream().write(sent);
        assertThat(socket.awaitInput(60_000)).isTrue();
        assertThat(socket.awaitInput(0)).isTrue();
        assertThat(input.read()).isZero();
        byte[] rest = input.readNBytes(sent.length - 1);
        assertThat(rest).isEqualTo(Arrays.copyOfRange(sent, 1, sent.length));
        assertThat(socket.getSoTimeout()).isEqualTo(60_000);
    }

    @Test
    void waitInVainDoesNotRepeatInput() throws IOException {
        InputStream input = socket.getInputStream();
        for (byte sent = 1; sent < 4; sent++) {
            peer.getOutputStream().write(sent);
            assertThat(socket.awaitInput(60_000)).isTrue();
            assertThat(input.read()).isEqualTo(sent);
            assertThat(socket.awaitInput(1)).isFalse();
            assertThat(socket.awaitInput(0)).isFalse();
            assertThat(input.available()).isZero();
        }
    }

    @Test
    void endOfInputCountsAsInput() throws IOException {
        InputStream input = socket.getInputStream();
        peer.close();
        assertThat(socket.awaitInput(60_000)).isTrue();
        assertThat(input.read(new byte[10])).isNegative();
    }

    @Test
    void closedSocketCountsAsInput() throws IOException {
        socket.close();
        assertThat(socket.awaitInput(1)).isTrue();
    }
}
