package io.keyhold.junit;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.embedded.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** One test: its place for locks, its clock and its clients. JUnit uses it on one thread. */
final class TestSetup {

    private final TestClock clock;
    private final Consumer<KeyholdBuilder> place;
    private final Runnable stop;
    private final List<Keyhold> clients = new ArrayList<>();

    private TestSetup(TestClock clock, Consumer<KeyholdBuilder> place, Runnable stop) {
        this.clock = clock;
        this.place = place;
        this.stop = stop;
    }

    static TestSetup at(LockPlace place) {
        TestClock clock = new TestClock();
        return switch (place) {
            case MEMORY -> {
                InMemorySpace space = InMemorySpace.create(clock);
                yield new TestSetup(clock, builder -> builder.inMemory(space), () -> {});
            }
            case REDIS -> {
                try {
                    yield Server.start(clock);
                } catch (NoClassDefFoundError e) {
                    throw new ExtensionConfigurationException(
                            "a test on Redis needs keyhold-embedded on the class path, and a driver such as keyhold-jedis",
                            e);
                }
            }
        };
    }

    /** Apart from the rest, because keyhold-embedded may be missing. */
    private static final class Server {

        static TestSetup start(TestClock clock) {
            EmbeddedRedis server = EmbeddedRedis.start();
            return new TestSetup(
                    clock,
                    builder -> builder.uri(server.uri() + "?connectTimeout=20s&commandTimeout=20s"),
                    server::close);
        }
    }

    Object create(Class<?> type) {
        if (type == TestClock.class) {
            return clock;
        }
        KeyholdBuilder builder = Keyhold.builder().clock(clock);
        place.accept(builder);
        if (type == KeyholdBuilder.class) {
            return builder;
        }
        Keyhold client = builder.build();
        clients.add(client);
        return client;
    }

    void close() {
        try {
            clients.forEach(Keyhold::close);
        } finally {
            stop.run();
        }
    }
}
