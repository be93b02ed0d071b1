package io.keyhold.micrometer;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.embedded.EmbeddedRedis;
import java.util.function.UnaryOperator;

/** Where the locks of a test live. */
enum Place {
    MEMORY {
        @Override
        Open open() {
            InMemorySpace space = InMemorySpace.create();
            return new Open(builder -> builder.inMemory(space), () -> {});
        }
    },
    REDIS {
        @Override
        Open open() {
            EmbeddedRedis server = EmbeddedRedis.start();
            return new Open(
                    builder -> builder.uri(server.uri() + "?connectTimeout=20s&commandTimeout=20s"), server::close);
        }
    };

    abstract Open open();

    /** An empty place. */
    record Open(UnaryOperator<KeyholdBuilder> at, Runnable stop) implements AutoCloseable {

        KeyholdBuilder builder() {
            return at.apply(Keyhold.builder());
        }

        @Override
        public void close() {
            stop.run();
        }
    }
}
