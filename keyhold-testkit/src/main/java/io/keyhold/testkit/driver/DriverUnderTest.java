package io.keyhold.testkit.driver;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.List;
import java.util.UUID;

/** What a part of the contract needs to know of the driver. */
public interface DriverUnderTest {

    /** Opens the driver under test, for the server that the URI names. Each test opens its own, and closes it. */
    RedisDriver open(RedisUri uri);

    /** Returns a server without a password. Tests leave it running, but not with the same data or connections. */
    EmbeddedRedis server();

    /** Opens a driver for this server. */
    default RedisDriver open() {
        return open(server().uri());
    }

    /** Opens a driver for the server that the text names, with long timeouts unless the text says otherwise. */
    default RedisDriver open(String uri) {
        return open(RedisUri.parse(withLongTimeouts(uri)));
    }

    /** Adds time limits that a busy machine keeps, where the text has none. */
    static String withLongTimeouts(String uri) {
        String extended = uri;
        for (String limit : List.of("connectTimeout", "commandTimeout")) {
            if (!uri.contains(limit)) {
                extended += (extended.contains("?") ? "&" : "?") + limit + "=20s";
            }
        }
        return extended;
    }

    /** Returns a key, value or name that no other test uses. */
    static String fresh() {
        return "contract:" + UUID.randomUUID();
    }
}
