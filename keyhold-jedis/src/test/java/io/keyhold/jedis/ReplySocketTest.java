package io.keyhold.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.testkit.StallWatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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

    @Test
    void readWithoutInputTimesOut() throws IOException {
        InputStream input = socket.getInputStream();
        socket.setSoTimeout(1);
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> socket.timed(input::read));
        assertThat(socket.isClosed()).isTrue();
    }

    @Test
    void writeThatPeerDoesNotReadTimesOut() throws IOException {
        OutputStream output = socket.getOutputStream();
        socket.setSoTimeout(500);
        byte[] more = new byte[32 << 20]; // Than both ends can buffer.
        CompletableFuture<Void> write = CompletableFuture.runAsync(() -> {
            try {
                socket.timed(() -> {
                    output.write(more);
                    return true;
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThatThrownBy(() -> write.get(60, TimeUnit.SECONDS)).hasRootCauseInstanceOf(SocketTimeoutException.class);
        assertThat(socket.isClosed()).isTrue();
    }

    /** The timer looks at the socket several times while it is used, and while it is not. */
    @Test
    void timerLeavesReadsInTimeAlone() throws IOException {
        StallWatch.undisturbed(() -> {
            try (ReplySocket other = new ReplySocket()) {
                other.connect(server.getLocalSocketAddress(), 60_000); // Its timer would be too late for the reads.
                other.setSoTimeout(500);
                try (Socket otherPeer = server.accept()) {
                    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_200);
                    for (byte i = 0; System.nanoTime() - end < 0; i = (byte) ((i + 1) & 0x7F)) {
                        otherPeer.getOutputStream().write(i);
                        assertThat(other.timed(() -> other.getInputStream().read()))
                                .isEqualTo(i);
                    }
                    assertThatExceptionOfType(SocketTimeoutException.class)
                            .isThrownBy(() ->
                                    other.timed(() -> other.getInputStream().read()));
                }
            }
        });
    }

    /** As where there is no memory left: nothing would end the read any more. */
    @Test
    void timerThatFailsClosesSocket() throws IOException {
        try (FailingTimer timer = new FailingTimer();
                ReplySocket other = new ReplySocket(timer)) {
            other.connect(server.getLocalSocketAddress(), 60_000);
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> other.timed(() -> {
                        assertThatExceptionOfType(InternalError.class).isThrownBy(timer.checks.remove()::run);
                        assertThat(other.isClosed()).isTrue();
                        return other.getInputStream().read();
                    }));
        }
    }

    /** Takes one check, and then none. */
    private static final class FailingTimer extends ScheduledThreadPoolExecutor implements AutoCloseable {

        private final Queue<Runnable> checks = new ArrayDeque<>();
        private boolean full;

        FailingTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable check, long delay, TimeUnit unit) {
            if (full) {
                throw new InternalError("on purpose");
            }
            full = true;
            checks.add(check);
            return super.schedule(() -> {}, 0, unit);
        }

        @Override
        public void close() {
            shutdownNow();
        }
    }

    @Test
    void connectThatIsNotAcceptedTimesOut() throws IOException {
        List<Socket> waiting = new ArrayList<>();
        try {
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> {
                for (int i = 0; i < 100; i++) { // Until the queue of the server is full.
                    ReplySocket other = new ReplySocket();
                    waiting.add(other);
                    other.connect(server.getLocalSocketAddress(), 300);
                }
            });
        } finally {
            for (Socket other : waiting) {
                other.close();
            }
        }
    }

    @Test
    void closeEndsReadOfAnotherThread() throws Exception {
        InputStream input = socket.getInputStream();
        CompletableFuture<Integer> read = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try {
                read.complete(socket.timed(input::read));
            } catch (IOException e) {
                read.completeExceptionally(e);
            }
        });
        reader.start();
        socket.close();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(read::get)
                .havingCause()
                .isInstanceOf(SocketException.class)
                .isNotInstanceOf(SocketTimeoutException.class);
        reader.join();
    }
}
