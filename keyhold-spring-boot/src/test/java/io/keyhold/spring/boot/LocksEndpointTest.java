package io.keyhold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The endpoint by HTTP, in a whole application. */
@SuppressWarnings("try")
final class LocksEndpointTest {

    private final HttpClient http = HttpClient.newHttpClient();
    private ConfigurableApplicationContext application = start();

    private static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .properties(
                        "server.port=0",
                        "keyhold.in-memory=true",
                        "spring.application.name=shop",
                        "spring.main.banner-mode=off",
                        "spring.autoconfigure.exclude=" + DataRedisAutoConfiguration.class.getName(),
                        "management.endpoints.web.exposure.include=locks,health,metrics")
                .properties(properties)
                .run();
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private Keyhold keyhold() {
        return application.getBean(Keyhold.class);
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        return http.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode json(String method, String path) throws Exception {
        HttpResponse<String> response = send(method, path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    private static String token(String token) {
        return "?token=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
    }

    @Test
    void listsWhatIsHeld() throws Exception {
        try (Lease one = keyhold().lock("order:1").acquire();
                Lease two = keyhold().semaphore("gpu", 3).acquire(2)) {
            JsonNode all = json("GET", "locks");
            assertThat(all.get("count").asInt()).isEqualTo(2);
            JsonNode orders = json("GET", "locks?pattern=order:*").get("locks");
            assertThat(orders.size()).isEqualTo(1);
            JsonNode order = orders.get(0);
            assertThat(order.get("key").asString()).isEqualTo("order:1");
            assertThat(order.get("kind").asString()).isEqualTo("lock");
            JsonNode holder = order.get("holders").get(0);
            assertThat(holder.get("token").asString()).isEqualTo(one.token());
            assertThat(holder.get("clientName").asString()).isEqualTo("shop");
            assertThat(holder.get("fencingToken").asLong()).isEqualTo(one.fencingToken());
            assertThat(json("GET", "locks/gpu").get("availablePermits").asInt()).isEqualTo(1);
        }
        assertThat(json("GET", "locks").get("count").asInt()).isZero();
    }

    @Test
    void oneKeyShowsHoldersAndQueue() throws Exception {
        try (Lease held = keyhold().lock("path/of/a/key").acquire()) {
            var waiter = keyhold()
                    .lock("path/of/a/key")
                    .with(options -> options.fairness(Fairness.STRICT)) // Otherwise it waits in the local queue.
                    .acquireAsync();
            var local = keyhold().lock("path/of/a/key").acquireAsync();
            JsonNode lock = json("GET", "locks/path/of/a/key");
            while (lock.get("waiterCount").asInt() == 0
                    || lock.get("localWaiterCount").asInt() < 2) {
                lock = json("GET", "locks/path/of/a/key");
            }
            assertThat(lock.get("key").asString()).isEqualTo("path/of/a/key");
            assertThat(lock.get("held").asBoolean()).isTrue();
            assertThat(lock.get("queue").get(0).get("clientName").asString()).isEqualTo("shop");
            waiter.cancel(true);
            local.cancel(true);
        }
        assertThat(json("GET", "locks/path/of/a/key").get("held").asBoolean()).isFalse();
    }

    @Test
    void readsOnlyByDefault() throws Exception {
        try (Lease held = keyhold().lock("order:1").acquire()) {
            assertThat(send("DELETE", "locks/order:1" + token(held.token())).statusCode())
                    .isEqualTo(405);
            assertThat(held.isHeldOnServer()).isTrue();
        }
    }

    @Test
    void releasesTheHolderThatWasSeenAndNoOther() throws Exception {
        application.close();
        application = start("management.endpoint.locks.access=unrestricted");
        Lease held = keyhold().lock("order:1").acquire();
        JsonNode other = json("DELETE", "locks/order:1" + token(held.token() + "x"));
        assertThat(other.get("released").asBoolean()).isFalse();
        assertThat(held.isHeldOnServer()).isTrue();
        assertThat(send("DELETE", "locks/order:1").statusCode())
                .as("without a token")
                .isEqualTo(400);

        JsonNode released = json("DELETE", "locks/order:1" + token(held.token()));
        assertThat(released.get("released").asBoolean()).isTrue();
        assertThat(released.get("lock").get("held").asBoolean()).isFalse();
        assertThat(held.isHeldOnServer()).isFalse();

        List<AuditEvent> events = application.getBean(AuditLog.class).events;
        assertThat(events).extracting(AuditEvent::getType).containsOnly("KEYHOLD_LOCK_RELEASED");
        assertThat(events).extracting(AuditEvent::getPrincipal).containsOnly("anonymous");
        assertThat(events).extracting(event -> event.getData().get("released")).containsExactly(false, true);
    }

    @Test
    void healthAndMetersAreThere() throws Exception {
        keyhold().lock("order:1").run(() -> {});
        assertThat(json("GET", "health").get("status").asString()).isEqualTo("UP");
        // Listeners are told in the background.
        while (send("GET", "metrics/keyhold.acquire").statusCode() != 200) {
            Thread.onSpinWait();
        }
    }

    /** A web application with the actuator. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(AuditLog.class)
    static class Application {}

    /** What was audited. */
    static class AuditLog {

        private final List<AuditEvent> events = new CopyOnWriteArrayList<>();

        @EventListener
        void on(AuditApplicationEvent event) {
            events.add(event.getAuditEvent());
        }
    }
}
