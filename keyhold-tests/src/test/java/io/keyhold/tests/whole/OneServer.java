package io.keyhold.tests.whole;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server for each test, and a console to read its keys. */
abstract class OneServer {

    EmbeddedRedis server;
    Console console;

    @BeforeEach
    final void startServer() {
        server = EmbeddedRedis.start();
        console = new Console(server.uri());
    }

    @AfterEach
    final void stopServer() {
        console.close();
        server.close();
    }
}
