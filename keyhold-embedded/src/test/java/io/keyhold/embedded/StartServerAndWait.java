package io.keyhold.embedded;

import java.io.IOException;
import java.util.List;

/** A program that starts a server, tells its port and its directory, and ends with its input without closing anything. */
final class StartServerAndWait {
    private StartServerAndWait() {}

    public static void main(String[] arguments) throws IOException {
        EmbeddedRedis redis = EmbeddedRedis.start();
        if (List.of(arguments).contains("paused")) {
            redis.pause();
        }
        System.out.println(redis.port());
        System.out.println(redis.directory());
        System.in.readAllBytes();
    }
}
