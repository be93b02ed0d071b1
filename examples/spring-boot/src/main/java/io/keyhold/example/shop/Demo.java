package io.keyhold.example.shop;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts a Redis server, two instances of the shop and a customer. Ends with Ctrl-C. */
public final class Demo {

    private static final int FIRST_PORT = 8081;

    private Demo() {}

    /** Runs the demo. */
    public static void main(String[] arguments) throws Exception {
        EmbeddedRedis redis = EmbeddedRedis.start();
        // Both instances are in this JVM and share a database in memory; only the Redis server keeps them apart.
        ConfigurableApplicationContext north = instance(redis, "shop-north", FIRST_PORT);
        ConfigurableApplicationContext south = instance(redis, "shop-south", FIRST_PORT + 1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            south.close();
            north.close();
            redis.close();
        }));
        System.out.println("""

                Two instances run. Look at
                  http://localhost:8081/actuator/locks                     who holds and who waits
                  http://localhost:8081/actuator/health                    is the server of the locks there?
                  http://localhost:8081/actuator/metrics/keyhold.acquire   how long requests wait
                  http://localhost:8082/stock/tea                          what is left
                and order:
                  curl -X POST http://localhost:8082/orders/tea
                """);
        buy();
    }

    private static ConfigurableApplicationContext instance(EmbeddedRedis redis, String name, int port) {
        // The context closes in the order above: with a hook of its own, an instance could outlive the server.
        return Shop.start(
                name, "server.port=" + port, "keyhold.uri=" + redis.uri(), "spring.main.register-shutdown-hook=false");
    }

    /** A customer who orders now here, now there, until the instances close. */
    private static void buy() throws InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        while (true) {
            int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(2);
            HttpRequest order = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/orders/tea"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            try {
                http.send(order, HttpResponse.BodyHandlers.discarding());
            } catch (IOException e) {
                return;
            }
            Thread.sleep(500);
        }
    }
}
