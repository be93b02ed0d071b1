package io.keyhold.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Two instances, as the demo starts them. */
final class ShopTest {

    private static final int ORDERS = 60;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static EmbeddedRedis redis = EmbeddedRedis.start();
    private static List<ConfigurableApplicationContext> instances = List.of();

    @BeforeAll
    static void start() {
        instances = List.of(instance("north"), instance("south"));
    }

    private static ConfigurableApplicationContext instance(String name) {
        return Shop.start(
                name,
                "server.port=0",
                "keyhold.uri=" + redis.uri() + "?commandTimeout=30s&connectTimeout=30s",
                "shop.report-every=200ms",
                "shop.report-at-least=100ms",
                "keyhold.locks.orders.max-wait=2m");
    }

    @AfterAll
    static void stop() {
        instances.forEach(ConfigurableApplicationContext::close);
        redis.close();
    }

    private static String uri(int instance, String path) {
        return "http://localhost:" + instances.get(instance).getEnvironment().getProperty("local.server.port") + path;
    }

    private static CompletableFuture<HttpResponse<String>> send(String method, String uri) {
        return HTTP.sendAsync(
                HttpRequest.newBuilder(URI.create(uri))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static JdbcClient database() {
        return instances.get(0).getBean(JdbcClient.class);
    }

    private static long count(String query) {
        return database().sql(query).query(Long.class).single();
    }

    @Test
    void nothingIsSoldTwice() {
        long before = count("select amount from stock where item = 'tea'");
        List<CompletableFuture<HttpResponse<String>>> orders = IntStream.range(0, ORDERS)
                .mapToObj(each -> send("POST", uri(each % 2, "/orders/tea")))
                .toList();
        assertThat(orders)
                .allSatisfy(order -> assertThat(order.join().statusCode())
                        .as(() -> order.join().body())
                        .isEqualTo(200));
        assertThat(count("select amount from stock where item = 'tea'")).isEqualTo(before - ORDERS);
        assertThat(count("select count(*) - count(distinct fencing_token) from orders where item = 'tea'"))
                .isZero();
    }

    @Test
    void soldOutIsSaid() {
        List<Integer> replies = IntStream.range(0, 5)
                .mapToObj(each -> send("POST", uri(each % 2, "/orders/coffee")))
                .map(reply -> reply.join().statusCode())
                .toList();
        assertThat(replies).containsExactly(200, 200, 200, 409, 409);
    }

    @Test
    void oneInstanceAtATimeWritesTheReport() throws Exception {
        try (Keyhold outside = Keyhold.connect(redis.uri() + "?commandTimeout=30s&connectTimeout=30s")) {
            Lease held = outside.lock("sales-report").acquire();
            long before = count("select count(*) from report");
            double north = requests(0);
            double south = requests(1);
            while (requests(0) < north + 2 || requests(1) < south + 2) {
                Thread.onSpinWait();
            }
            assertThat(count("select count(*) from report"))
                    .as("reports while another process holds the lock")
                    .isEqualTo(before);
            held.release();
            while (count("select count(*) from report") < before + 2) {
                Thread.onSpinWait();
            }
        }
    }

    /** How often an instance has asked for the lock of the report. */
    private static double requests(int instance) {
        String meter = send("GET", uri(instance, "/actuator/metrics/keyhold.acquire?tag=name:sales-report"))
                .join()
                .body();
        Matcher count = Pattern.compile("\"COUNT\",\"value\":([0-9.]+)").matcher(meter);
        return count.find() ? Double.parseDouble(count.group(1)) : 0;
    }

    @Test
    void operatorsSeeLocksHealthAndMeters() throws Exception {
        try (Keyhold outside = Keyhold.connect(
                        redis.uri() + "?commandTimeout=30s&connectTimeout=30s&clientName=stock-taking");
                Lease held = outside.lock("stock:shelf").acquire()) {
            assertThat(send("GET", uri(0, "/actuator/locks/stock:shelf")).join().body())
                    .contains("stock-taking", held.token());
            assertThat(send(
                                    "DELETE",
                                    uri(
                                            0,
                                            "/actuator/locks/stock:shelf?token="
                                                    + URLEncoder.encode(held.token(), StandardCharsets.UTF_8)))
                            .join()
                            .statusCode())
                    .isEqualTo(405);
        }
        assertThat(send("GET", uri(1, "/actuator/health")).join().body()).contains("\"keyhold\":{");
        send("POST", uri(1, "/orders/tea")).join();
        while (send("GET", uri(1, "/actuator/metrics/keyhold.acquire?tag=name:orders"))
                        .join()
                        .statusCode()
                != 200) {
            Thread.onSpinWait();
        }
    }
}
