package io.keyhold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.console.ConsoleApi;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The console as a part of a whole application. */
@Tag("full")
@SuppressWarnings("try")
final class ConsoleTest {

    private final HttpClient http = HttpClient.newHttpClient();
    private ConfigurableApplicationContext application = start("keyhold.console.enabled=true");

    @Configuration
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class Child {}

    private static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .properties(
                        "server.port=0",
                        "server.shutdown=graceful",
                        "spring.lifecycle.timeout-per-shutdown-phase=60s",
                        "keyhold.in-memory=true",
                        "spring.application.name=shop",
                        "spring.main.banner-mode=off",
                        "spring.autoconfigure.exclude=" + DataRedisAutoConfiguration.class.getName())
                .properties(properties)
                .run();
    }

    private void restart(String... properties) {
        application.close();
        application = start(properties);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private URI uri(String path) {
        return URI.create("http://localhost:" + application.getEnvironment().getProperty("local.server.port") + path);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<InputStream> stream() throws Exception {
        return http.send(
                HttpRequest.newBuilder(uri("/keyhold-console/api/stream")).build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    private HttpResponse<String> release(Lease lease, String origin) throws Exception {
        String json = JsonMapper.shared()
                .createObjectNode()
                .put("key", lease.key())
                .put("typedKey", lease.key())
                .put("token", lease.token())
                .put("reason", "stuck")
                .toString();
        return http.send(
                HttpRequest.newBuilder(uri("/keyhold-console/api/release"))
                        .header("Content-Type", "application/json")
                        .header("Origin", origin)
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private String origin() {
        return uri("").toString();
    }

    @Test
    void showsPageAndLocks() throws Exception {
        HttpResponse<String> redirect = get("/keyhold-console");
        assertThat(redirect.statusCode()).isEqualTo(302);
        assertThat(redirect.headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).endsWith("/keyhold-console/"));
        HttpResponse<String> page = get("/keyhold-console/");
        assertThat(page.body()).contains("<title>Keyhold console</title>");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'self'"));
        try (Lease lease = application.getBean(Keyhold.class).lock("order:1").acquire()) {
            JsonNode lock = JsonMapper.shared()
                    .readTree(get("/keyhold-console/api/lock?key=order:1").body());
            assertThat(lock.get("holders").get(0).get("token").asString()).isEqualTo(lease.token());
        }
        JsonNode info =
                JsonMapper.shared().readTree(get("/keyhold-console/api/info").body());
        assertThat(info.get("target").asString()).isEqualTo("shop");
        assertThat(info.get("topology").asString()).isEqualTo("memory");
        assertThat(get("/keyhold-console/api/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void releasesOnlyIfAllowedAndAskedByItsOwnPage() throws Exception {
        Lease kept = application.getBean(Keyhold.class).lock("order:1").acquire();
        assertThat(release(kept, origin()).statusCode()).isEqualTo(403);
        assertThat(kept.isHeldOnServer()).isTrue();

        restart("keyhold.console.enabled=true", "keyhold.console.allow-release=true");
        Lease lease = application.getBean(Keyhold.class).lock("order:1").acquire();
        assertThat(release(lease, "http://evil.example").statusCode()).isEqualTo(403);
        assertThat(lease.isHeldOnServer()).isTrue();
        HttpResponse<String> done = release(lease, origin());
        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        assertThat(JsonMapper.shared().readTree(done.body()).get("released").asBoolean())
                .isTrue();
        assertThat(lease.isHeldOnServer()).isFalse();
    }

    @Test
    void redirectsToItsOwnPageOnly() throws Exception {
        HttpResponse<String> redirect = get("//evil.example/..;/keyhold-console");
        assertThat(redirect.statusCode()).isEqualTo(302);
        assertThat(redirect.headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(uri("/").resolve(to)).isEqualTo(uri("/keyhold-console/")));
    }

    @Test
    void closedChildContextLeavesTheConsoleOpen() throws Exception {
        new SpringApplicationBuilder(Child.class)
                .parent(application)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off")
                .run()
                .close();
        try (InputStream body = stream().body()) {
            assertThat(body.read()).isEqualTo('r');
        }
    }

    @Test
    @Timeout(50)
    void connectedPagesDoNotHoldUpTheShutdown() throws Exception {
        HttpResponse<InputStream> stream = stream();
        assertThat(stream.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
        try (InputStream body = stream.body()) {
            assertThat(body.read()).isEqualTo('r');
            application.close();
            assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).contains("event: bye");
        }
    }

    @Test
    void isOffByDefault() throws Exception {
        restart();
        assertThat(application.getBeansOfType(ConsoleApi.class)).isEmpty();
        assertThat(get("/keyhold-console/").statusCode()).isEqualTo(404);
    }

    @Test
    void refusesABadPath() {
        assertThatThrownBy(() -> start("keyhold.console.enabled=true", "keyhold.console.path=console"))
                .rootCause()
                .hasMessage("keyhold.console.path must be like /keyhold-console, was 'console'");
    }
}
