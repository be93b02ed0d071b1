package io.keyhold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The reply is lost after the server has executed the request. */
class ProxyLostReplyTest {
    private EmbeddedRedis redis;
    private TcpProxy proxy;

    @BeforeEach
    void start() {
        redis = EmbeddedRedis.start();
        proxy = TcpProxy.to(redis.host(), redis.port());
    }

    @AfterEach
    void stop() {
        proxy.close();
        redis.close();
    }

    @RepeatedTest(10)
    void requestIsExecutedWithoutReply() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port());
                PlainClient other = new PlainClient(proxy.port())) {
            assertThat(client.ask("INCR visits")).isEqualTo(":1");
            CompletableFuture<Void> lost = proxy.cutAfterNextRequestContaining("visits");
            assertThat(other.ask("INCR guests")).isEqualTo(":1");
            client.send("INCR visits");
            lost.get(60, TimeUnit.SECONDS);

            assertThat(proxy.connections()).isEqualTo(1);
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
            assertThat(other.ask("INCR visits")).isEqualTo(":3");
        }
    }

    /** As an asynchronous client does, which does not wait for one reply before it sends the next request. */
    @RepeatedTest(50)
    void earlierRepliesAreDelivered() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            CompletableFuture<Void> lost = proxy.cutAfterNextRequestContaining("TheOne");
            for (int i = 0; i < 200; i++) {
                client.send("INCR earlier");
            }
            client.send("EVAL \"for i = 1, 100000 do end return redis.call('SET', 'TheOne', 'done')\" 0");
            lost.get(60, TimeUnit.SECONDS);
        }
        try (PlainClient direct = new PlainClient(redis.port())) {
            assertThat(direct.ask("GET TheOne")).isEqualTo("$4");
        }
    }

    /** A server whose every step is known: it has to be told that no more comes, and to end, before the reply is lost. */
    @Test
    void textMayBeSplitBetweenPackets() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, ServerAddress.local());
                TcpProxy ahead = TcpProxy.to("127.0.0.1", listener.getLocalPort());
                PlainClient client = new PlainClient(ahead.port());
                Socket server = listener.accept()) {
            CompletableFuture<Void> lost = ahead.cutAfterNextRequestContaining("visits");
            client.sendPart("INCR vis");
            assertThat(server.getInputStream().readNBytes(8)).asString().isEqualTo("INCR vis");
            client.sendPart("its");
            assertThat(server.getInputStream().readNBytes(3)).asString().isEqualTo("its");
            client.sendPart("\r\n");
            assertThat(server.getInputStream().readNBytes(2)).asString().isEqualTo("\r\n");

            server.getOutputStream().write(':');
            assertThat(server.getInputStream().read()).isEqualTo(-1);
            server.getOutputStream().write('1');
            assertThat(lost).isNotDone();
            server.shutdownOutput();
            lost.get(60, TimeUnit.SECONDS);
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void trapCatchesOneLaterRequest() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            assertThat(client.ask("INCR visits")).isEqualTo(":1");
            CompletableFuture<Void> lost = proxy.cutAfterNextRequestContaining("visits");
            assertThat(client.ask("INCR guests")).isEqualTo(":1");
            client.send("INCR visits");
            lost.get(60, TimeUnit.SECONDS);
        }
        try (PlainClient client = new PlainClient(proxy.port())) {
            assertThat(client.ask("INCR visits")).isEqualTo(":3");
        }
    }

    @Test
    void worksWhileRepliesAreSwallowedToo() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            proxy.swallowReplies();
            CompletableFuture<Void> lost = proxy.cutAfterNextRequestContaining("visits");
            client.send("INCR visits");
            lost.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void failsWhenServerDiesInsteadOfReplying() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
            redis.pause();
            CompletableFuture<Void> lost = proxy.cutAfterNextRequestContaining("visits");
            client.send("INCR visits");
            assertThatThrownBy(() -> lost.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            redis.kill();
            assertThatThrownBy(() -> lost.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IOException.class)
                    .hasMessageContaining("before the server had replied to \"visits\"");
        }
    }

    @Test
    void healingAndClosingDisarm() throws Exception {
        CompletableFuture<Void> healed = proxy.cutAfterNextRequestContaining("visits");
        proxy.heal();
        assertThatThrownBy(healed::join).isInstanceOf(CancellationException.class);
        try (PlainClient client = new PlainClient(proxy.port())) {
            assertThat(client.ask("INCR visits")).isEqualTo(":1");
        }
        CompletableFuture<Void> closed = proxy.cutAfterNextRequestContaining("visits");
        proxy.close();
        assertThatThrownBy(closed::join).isInstanceOf(CancellationException.class);
    }
}
