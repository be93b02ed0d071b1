package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PortCollisionTest {
    @Test
    void choosesAnotherPortWhenTaken() {
        try (EmbeddedRedis first = EmbeddedRedis.start();
                EmbeddedRedis second = choosing(first.port(), freePort()).start()) {
            assertThat(second.port()).isNotEqualTo(first.port());
            assertThat(second.isRunning()).isTrue();
        }
    }

    /** The check for a free port does not see 127.0.0.2, nor a process that takes the port a moment later. */
    @RepeatedTest(3)
    @EnabledOnOs(OS.LINUX)
    void choosesAnotherPortWhenServerFindsItTaken() throws Exception {
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        int taken = freePort();
        try (ServerSocket other = new ServerSocket(taken, 1, elsewhere);
                EmbeddedRedis redis = choosing(taken, freePort())
                        .option("bind", "127.0.0.1", "127.0.0.2")
                        .start()) {
            assertThat(other.isBound()).isTrue();
            assertThat(redis.port()).isNotEqualTo(taken);
            assertThat(RawRedis.ask(redis, "PING")).containsExactly("PONG");
        }
    }

    @Test
    void insistsOnChosenPort() {
        try (EmbeddedRedis first = EmbeddedRedis.start()) {
            EmbeddedRedisBuilder builder = EmbeddedRedis.builder().port(first.port());
            assertThatThrownBy(builder::start)
                    .isInstanceOf(EmbeddedRedisException.class)
                    .hasMessage("port " + first.port() + " of 127.0.0.1 is already in use");
        }
    }

    @Test
    void startsOnChosenPort() {
        int port = freePort();
        try (EmbeddedRedis redis = EmbeddedRedis.builder().port(port).start()) {
            assertThat(redis.port()).isEqualTo(port);
        }
    }

    /** As if another server had taken the port just before ours: it must not be taken for ours. */
    @Test
    void detectsForeignServerOnPort() {
        try (EmbeddedRedis other = EmbeddedRedis.start();
                EmbeddedRedis mine = EmbeddedRedis.start()) {
            ServerDirectory directory = ServerDirectory.create(mine.directory());
            directory.writeConfiguration(ServerOptions.NONE.render(other.port(), mine.directory()));
            ServerProcess failing = ServerProcess.start(mine.executable(), List.of(), directory);
            StartupProbe probe = new StartupProbe(failing, other.port(), EmbeddedRedisBuilder.DEFAULT_START_TIMEOUT);
            assertThatThrownBy(probe::awaitReply)
                    .isInstanceOf(PortTakenException.class)
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void choosesPortsOutsideEphemeralRange() {
        List<Integer> ports =
                IntStream.range(0, 100).map(each -> freePort()).boxed().toList();
        assertThat(ports).allMatch(port -> port >= 20_000 && port < 32_768);
    }

    /** Otherwise another server could listen there when the killed one is started again. */
    @Test
    void killedServerKeepsItsPortsUntilItIsClosed(@TempDir Path directory) {
        EmbeddedRedis redis = EmbeddedRedis.builder()
                .tls(EmbeddedCertificates.create(directory))
                .start();
        try (redis) {
            redis.kill();
            assertThat(freePort(redis.port(), redis.tlsPort())).isNotIn(redis.port(), redis.tlsPort());
        }
        assertThat(freePort(redis.port())).isEqualTo(redis.port());
        assertThat(freePort(redis.tlsPort())).isEqualTo(redis.tlsPort());
    }

    @Test
    void killedServerKeepsPortThatWasGiven() {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().port(freePort()).start()) {
            redis.kill();
            assertThat(freePort(redis.port())).isNotEqualTo(redis.port());
        }
    }

    @Test
    void killedNodeKeepsPortForOtherNodes() {
        try (EmbeddedRedis node = new EmbeddedRedisBuilder(Ports::chooseFreeWithClusterBus).start()) {
            node.kill();
            int bus = node.port() + 10_000;
            assertThat(freePort(bus)).isNotEqualTo(bus);
        }
    }

    @Test
    void serverThatDoesNotStartKeepsNoPort() {
        int port = freePort();
        EmbeddedRedisBuilder builder =
                new EmbeddedRedisBuilder(() -> Ports.choose(() -> port)).option("no-such-directive", "x");
        assertThatThrownBy(builder::start).isInstanceOf(EmbeddedRedisException.class);
        assertThat(freePort(port)).isEqualTo(port);
    }

    private static EmbeddedRedisBuilder choosing(int... ports) {
        PrimitiveIterator.OfInt choices = IntStream.of(ports).iterator();
        return new EmbeddedRedisBuilder(() -> ReservedPort.unreserved(choices.nextInt()));
    }

    /** Returns one of these ports, or another one if all of them are taken. */
    private static int freePort(int... preferred) {
        PrimitiveIterator.OfInt candidates = IntStream.concat(
                        IntStream.of(preferred), ThreadLocalRandom.current().ints(20_000, 32_768))
                .iterator();
        try (ReservedPort chosen = Ports.choose(candidates::nextInt)) {
            return chosen.number();
        }
    }
}
