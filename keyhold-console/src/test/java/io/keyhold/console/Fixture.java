package io.keyhold.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.keyhold.Keyhold;
import io.keyhold.doctor.Doctor;
import io.keyhold.doctor.DoctorOptions;
import io.keyhold.doctor.DoctorTarget;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;

/** A server, and a console of it. */
public final class Fixture implements AutoCloseable {

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> audit = new CopyOnWriteArrayList<>();
    private final EmbeddedRedis redis = EmbeddedRedis.start();
    private final ConsoleApi api;

    Fixture(boolean allowRelease) {
        api = api(ConsoleOptions.builder()
                .target(redis.uri())
                .allowRelease(allowRelease)
                .sampleInterval(Duration.ofMillis(100))
                .audit(audit::add)
                .events(own(JedisDriver.open(RedisUri.parse(patient(redis.uri())))))
                .doctor(() -> Doctor.examine(
                        new DoctorTarget(
                                List.of(RedisUri.parse(patient(redis.uri()))),
                                false,
                                JedisDriver::open,
                                () -> Keyhold.connect(patient(redis.uri()))),
                        DoctorOptions.readOnly()))
                .build());
    }

    /** Adds timeouts that a pause of a busy machine does not exceed. */
    public static String patient(String uri) {
        return uri + "?connectTimeout=30s&commandTimeout=30s";
    }

    private ConsoleApi api(ConsoleOptions options) {
        return own(new ConsoleApi(own(Keyhold.connect(patient(redis.uri()))), options));
    }

    <T extends AutoCloseable> T own(T resource) {
        opened.add(resource);
        return resource;
    }

    EmbeddedRedis redis() {
        return redis;
    }

    ConsoleApi api() {
        return api;
    }

    List<String> audit() {
        return audit;
    }

    Keyhold client(String name) {
        return own(Keyhold.builder().uri(patient(redis.uri())).clientName(name).build());
    }

    JsonObject get(String path, String... query) {
        return get(api, path, query);
    }

    static JsonObject get(ConsoleApi api, String path, String... query) {
        ConsoleResponse response = response(api, path, query);
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        return JsonParser.parseString(response.body()).getAsJsonObject();
    }

    static ConsoleResponse response(ConsoleApi api, String path, String... query) {
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < query.length; i += 2) {
            parameters.put(query[i], query[i + 1]);
        }
        return api.handle(ConsoleRequest.get(path, parameters));
    }

    /** Returns the values of a field of each object in an array. */
    static List<String> each(JsonObject object, String array, String field) {
        return StreamSupport.stream(object.getAsJsonArray(array).spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .map(item ->
                        item.get(field).isJsonNull() ? "null" : item.get(field).getAsString())
                .toList();
    }

    static JsonObject first(JsonObject object, String array) {
        return object.getAsJsonArray(array).get(0).getAsJsonObject();
    }

    @Override
    public void close() {
        for (int i = opened.size() - 1; i >= 0; i--) {
            close(opened.get(i));
        }
        redis.close();
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException("closing " + resource, e);
        }
    }
}
