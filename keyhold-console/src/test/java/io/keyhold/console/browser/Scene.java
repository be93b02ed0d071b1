package io.keyhold.console.browser;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.console.ConsoleApi;
import io.keyhold.console.ConsoleOptions;
import io.keyhold.console.ConsoleServer;
import io.keyhold.console.Fixture;
import io.keyhold.doctor.Doctor;
import io.keyhold.doctor.DoctorOptions;
import io.keyhold.doctor.DoctorTarget;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedRedisBuilder;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assertions;

/** A server, clients that hold locks and wait for them, and consoles that show it. */
final class Scene implements AutoCloseable {

    private final EmbeddedRedis redis;
    private final List<Keyhold> clients = new ArrayList<>();
    private final List<Console> consoles = new ArrayList<>();
    private final List<String> audit = new CopyOnWriteArrayList<>();

    private Scene(EmbeddedRedis redis) {
        this.redis = redis;
    }

    static Scene start() {
        return new Scene(EmbeddedRedis.start());
    }

    static Scene start(EmbeddedRedisBuilder builder) {
        return new Scene(builder.start());
    }

    EmbeddedRedis redis() {
        return redis;
    }

    /** A starting browser may keep the machine busy for seconds. */
    private String patient() {
        return Fixture.patient(redis.uri());
    }

    /** A client with this name. Each waits for itself: requests of one client share an entry of the queue. */
    Keyhold client(String name) {
        Keyhold client = Keyhold.builder().uri(patient()).clientName(name).build();
        clients.add(client);
        return client;
    }

    /** Acquires a lock that is free. */
    Lease hold(String client, String key) {
        return client(client).lock(key).acquireAsync().join();
    }

    /** Waits for a lock that is held, for as long as the scene lasts. */
    CompletableFuture<Lease> await(String client, String key) {
        return client(client).lock(key).acquireAsync();
    }

    /** The lines that force releases left. */
    List<String> audit() {
        return audit;
    }

    Console console() {
        return console(0, true);
    }

    Console console(int port, boolean allowRelease) {
        Keyhold client = client("console");
        RedisUri uri = RedisUri.parse(patient());
        DoctorTarget target = new DoctorTarget(
                List.of(uri),
                true,
                JedisDriver::open,
                () -> Keyhold.builder().uri(patient()).build());
        ConsoleApi api = new ConsoleApi(
                client,
                ConsoleOptions.builder()
                        .target(redis.uri())
                        .allowRelease(allowRelease)
                        .sampleInterval(Duration.ofMillis(200))
                        .doctor(() -> Doctor.examine(target, DoctorOptions.readOnly()))
                        .audit(audit::add)
                        .build());
        try {
            Console console = new Console(api, ConsoleServer.start(api, port, url -> {}));
            consoles.add(console);
            return console;
        } catch (IOException failure) {
            api.close();
            throw new UncheckedIOException(failure);
        }
    }

    /** A console on a port. */
    record Console(ConsoleApi api, ConsoleServer server) implements AutoCloseable {

        /** The address of a view, for a browser that is signed in. */
        String at(String hash) {
            return URI.create("http://127.0.0.1:" + server.port() + "/") + hash;
        }

        int port() {
            return server.port();
        }

        /** Opens this view in a browser. */
        void signIn(Browser browser) {
            browser.open(server.url());
            browser.await("#status.live");
        }

        @Override
        public void close() {
            api.close();
            server.close();
        }
    }

    @Override
    public void close() {
        Assertions.assertAll(
                () -> consoles.forEach(Console::close), () -> clients.forEach(Keyhold::close), redis::close);
    }
}
