package io.keyhold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

class RedisServersTest {
    private final RedisServers servers = RedisServers.start(2);

    @AfterEach
    void close() {
        servers.close();
    }

    @Test
    void ownCommandsAreNotCounted() {
        try (RedisClient one = client(0);
                RedisClient other = client(1)) {
            one.ping(); // The commands of a new connection come before this.
            other.ping();
            long before = servers.commandsRun();
            assertThat(servers.commandsRun()).as("after an INFO").isEqualTo(before);
            one.set("key", "value");
            other.eval("return redis.call('INFO', 'server')");
            assertThat(servers.commandsRun() - before).isEqualTo(3);
        }
    }

    @Test
    void pausedServerIsNotCounted() {
        long both = servers.commandsRun();
        servers.get(0).pause();
        assertThat(servers.commandsRun()).isLessThan(both);
        servers.get(0).resume();
        assertThat(servers.commandsRun()).isGreaterThanOrEqualTo(both);
    }

    @Test
    void givenServerCannotBePaused() {
        try (RedisServer others = RedisServer.open(Optional.of(servers.get(0).uri()))) {
            assertThatIllegalStateException().isThrownBy(others::pause).withMessageContaining("not started here");
        }
    }

    private RedisClient client(int number) {
        return RedisClient.create(URI.create(servers.get(number).uri()));
    }
}
