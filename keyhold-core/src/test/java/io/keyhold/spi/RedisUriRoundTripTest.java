package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.spi.RedisUri.Topology;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever parts a URI is written of, these parts are read. The seeds are fixed; add one that found something. */
final class RedisUriRoundTripTest {

    private static final int URIS = 2_000;
    private static final String CHARACTERS = "abzAZ019-._~:/?#[]@!$&'()*+,;=% \\\"<>^`{|}äß€😀\t";
    private static final List<String> HOSTS =
            List.of("localhost", "my_redis", "redis-0.redis.svc", "127.0.0.1", "::1", "fe80::1%eth0", "2001:db8::7");
    private static final Map<String, Topology> SCHEMES = Map.of(
            "redis", Topology.SINGLE,
            "rediss", Topology.SINGLE,
            "valkey", Topology.SINGLE,
            "valkeys", Topology.SINGLE,
            "redis-sentinel", Topology.SENTINEL,
            "rediss-sentinel", Topology.SENTINEL,
            "redis-cluster", Topology.CLUSTER,
            "rediss-cluster", Topology.CLUSTER);

    /** The parts of a URI, as they were chosen. */
    private record Parts(
            String scheme,
            Optional<String> user,
            Optional<String> password,
            List<RedisAddress> addresses,
            int database,
            Map<String, String> parameters) {

        Topology topology() {
            return SCHEMES.getOrDefault(scheme, Topology.SINGLE);
        }

        String text() {
            String credentials = password.map(
                            secret -> user.map(Parts::encoded).orElse("") + ":" + encoded(secret) + "@")
                    .orElse("");
            String query = parameters.entrySet().stream()
                    .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                    .collect(Collectors.joining("&"));
            return scheme + "://" + credentials + hosts() + (database == 0 ? "" : "/" + database)
                    + (query.isEmpty() ? "" : "?" + query);
        }

        private String hosts() {
            int implied = topology() == Topology.SENTINEL ? 26379 : 6379;
            return addresses.stream()
                    .map(each -> {
                        String host = each.host().contains(":") ? "[" + each.host() + "]" : each.host();
                        return each.port() == implied ? host : host + ":" + each.port();
                    })
                    .collect(Collectors.joining(","));
        }

        private static String encoded(String text) {
            StringBuilder encoded = new StringBuilder();
            for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
                boolean plain = each > 0 && (Character.isLetterOrDigit(each) || "-._~".indexOf(each) >= 0);
                encoded.append(plain ? Character.toString(each) : "%%%02X".formatted(each & 0xff));
            }
            return encoded.toString();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyPartIsReadAsItWasWritten(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < URIS; i++) {
            Parts parts = parts(random);
            String text = parts.text();
            RedisUri uri = RedisUri.parse(text);
            assertThat(uri.topology()).as(text).isEqualTo(parts.topology());
            assertThat(uri.tls()).as(text).isEqualTo(parts.scheme().matches("(redis|valkey)s.*"));
            assertThat(uri.addresses()).as(text).isEqualTo(parts.addresses());
            assertThat(uri.credentials()).as(text).isEqualTo(credentials(parts.user(), parts.password()));
            assertThat(uri.database()).as(text).isEqualTo(parts.database());
            assertThat(uri.masterName()).as(text).isEqualTo(parameter(parts, "master"));
            assertThat(uri.forSentinel(new RedisAddress("sentinel", 26379)).credentials())
                    .as(text)
                    .isEqualTo(credentials(parameter(parts, "sentinelUser"), parameter(parts, "sentinelPassword")));
            assertThat(uri.driver()).as(text).isEqualTo(parameter(parts, "driver"));
        }
    }

    private static Optional<Credentials> credentials(Optional<String> user, Optional<String> password) {
        return password.map(secret -> new Credentials(user.orElse(null), secret));
    }

    /** One character is damaged: the URI is still one, or it is refused, and then without its secrets. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void damagedUriShowsNoSecrets(long seed) {
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < URIS; i++) {
            String text = "redis-sentinel://app:s3cr3t@one:26379,two:26379/0?master=m&sentinelPassword=s3cr3t";
            int at = random.nextInt(text.indexOf("://") + 3, text.length());
            if (text.substring(Math.max(0, at - 6), Math.min(text.length(), at + 6))
                    .contains("3")) {
                continue; // The secret itself would not be found again.
            }
            String damaged = text.substring(0, at) + character(random) + text.substring(at + 1);
            try {
                assertThat(RedisUri.parse(damaged).toString()).as(damaged).doesNotContain("s3cr3t");
            } catch (IllegalArgumentException e) {
                refused++;
                assertThat(e).as(damaged).hasMessageStartingWith("Redis URI '").hasMessageNotContaining("s3cr3t");
            }
        }
        assertThat(refused).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"comandTimeout", "Master", "password", "tls", "sentinelUsername"})
    void unknownParameterIsNamed(String name) {
        for (String scheme : List.of("redis://a?", "redis-sentinel://a?master=m&", "redis-cluster://a,b?")) {
            assertThatThrownBy(() -> RedisUri.parse(scheme + name + "=s3cr3t"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has an unknown parameter '" + name + "'; known are driver")
                    .hasMessageNotContaining("s3cr3t");
        }
    }

    private static Optional<String> parameter(Parts parts, String name) {
        return Optional.ofNullable(parts.parameters().get(name));
    }

    private static Parts parts(Random random) {
        List<String> schemes = SCHEMES.keySet().stream().sorted().toList();
        String scheme = schemes.get(random.nextInt(schemes.size()));
        Topology topology = SCHEMES.getOrDefault(scheme, Topology.SINGLE);
        Optional<String> password = maybe(random);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (topology == Topology.SENTINEL) {
            parameters.put("master", text(random));
            if (random.nextBoolean()) {
                parameters.put("sentinelUser", text(random));
                parameters.put("sentinelPassword", text(random));
            }
        }
        if (random.nextBoolean()) {
            parameters.put("driver", text(random));
        }
        return new Parts(
                scheme,
                password.isPresent() ? maybe(random) : Optional.empty(),
                password,
                addresses(random, topology),
                topology == Topology.CLUSTER ? 0 : random.nextInt(3),
                parameters);
    }

    private static List<RedisAddress> addresses(Random random, Topology topology) {
        Set<RedisAddress> addresses = new LinkedHashSet<>();
        int count = topology == Topology.SINGLE ? 1 : 1 + random.nextInt(5);
        while (addresses.size() < count) {
            int port = random.nextBoolean() ? 6379 : 1 + random.nextInt(65_535);
            addresses.add(new RedisAddress(HOSTS.get(random.nextInt(HOSTS.size())), port));
        }
        return new ArrayList<>(addresses);
    }

    private static Optional<String> maybe(Random random) {
        return random.nextBoolean() ? Optional.of(text(random)) : Optional.empty();
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(8);
        for (int i = 0; i < length; i++) {
            text.append(character(random));
        }
        return text.toString();
    }

    private static String character(Random random) {
        int[] all = CHARACTERS.codePoints().toArray();
        return Character.toString(all[random.nextInt(all.length)]);
    }
}
