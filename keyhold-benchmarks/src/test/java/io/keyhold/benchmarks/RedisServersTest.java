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
    void commandsOfContendersAreCountedAndOurOwnAreNot() {
        try (RedisClient one = client(0);
                RedisClient other = client(1)) {
            one.ping(); // Whatever a client says when it connects comes before this.
            other.ping();
            long before = servers.commandsRun();
            assertThat(servers.commandsRun()).as("after our own question").isEqualTo(before);
            one.set("key", "value");
            other.eval("return redis.call('INFO', 'server')");
            assertThat(servers.commandsRun() - before).isEqualTo(3);
        }
    }

    @Test
    void oneThatIsStoppedIsNotAskedUntilItGoesOn() {
        long both = servers.commandsRun();
        servers.get(0).stop();
        assertThat(servers.commandsRun()).isLessThan(both);
        servers.get(0).goOn();
        assertThat(servers.commandsRun()).isGreaterThanOrEqualTo(both);
    }

    @Test
    void doesNotStopAServerOfOthers() {
        try (RedisServer others = RedisServer.open(Optional.of(servers.get(0).uri()))) {
            assertThatIllegalStateException().isThrownBy(others::stop).withMessageContaining("not started here");
        }
    }

    private RedisClient client(int number) {
        return RedisClient.create(URI.create(servers.get(number).uri()));
    }
}
