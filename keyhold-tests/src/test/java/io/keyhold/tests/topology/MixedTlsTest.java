package io.keyhold.tests.topology;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedCertificates;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedSentinel;
import io.keyhold.testkit.TestCertificates;
import io.keyhold.testkit.TlsProxy;
import io.keyhold.tests.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sentinels with TLS and servers without, and the reverse: one line with the host, the cause and the cure. */
@Tag("full")
class MixedTlsTest {

    private static final String ALIKE = "speaks TLS with sentinels and servers alike";

    @TempDir
    private static Path directory;

    private static TestCertificates certificates;
    private static EmbeddedSentinel servers;
    private static EmbeddedRedis withTls;
    private static final List<TlsProxy> PROXIES = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        certificates = TestCertificates.create(directory);
        servers = EmbeddedSentinel.start();
        withTls = EmbeddedRedis.builder()
                .tls(EmbeddedCertificates.create(Files.createDirectory(directory.resolve("server"))))
                .start();
    }

    @AfterAll
    static void stop() {
        PROXIES.forEach(TlsProxy::close);
        servers.close();
        withTls.close();
    }

    private static String sentinels() {
        return servers.sentinels().stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(","));
    }

    private static String sentinelsWithTls() {
        List<TlsProxy> proxies = servers.sentinels().stream()
                .map(sentinel -> TlsProxy.to(sentinel.host(), sentinel.port(), certificates))
                .toList();
        PROXIES.addAll(proxies);
        return proxies.stream().map(proxy -> "127.0.0.1:" + proxy.port()).collect(Collectors.joining(","));
    }

    private static String trusted() {
        return "&verifyHostname=false&trustStore=" + certificates.trustStore() + "&trustStorePassword="
                + certificates.password();
    }

    private static void refused(String uri, String driver, String... words) {
        failed(withLongTimeouts(uri + "&driver=" + driver), words);
    }

    /** A plain server waits for the rest of the greeting: only the default timeout, which is short, ends that. */
    private static void timedOut(String uri, String driver, String... words) {
        undisturbed(() -> failed(uri + "&driver=" + driver, words));
    }

    private static void failed(String uri, String... words) {
        try (Keyhold keyhold = Keyhold.connect(uri)) {
            assertThatThrownBy(() -> keyhold.lock("a").tryAcquire())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(words)
                    .hasMessageNotContaining("\n")
                    .hasMessageNotContaining(certificates.password());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void sentinelsWithTlsAndPlainMaster(String driver) {
        EmbeddedRedis master = servers.master();
        timedOut(
                "rediss-sentinel://" + sentinelsWithTls() + "?master=" + servers.masterName() + trusted(),
                driver,
                "127.0.0.1:" + master.port(),
                "does not speak TLS on this port",
                ALIKE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void plainSentinelsAndMasterWithTls(String driver) {
        int port = withTls.tlsPort();
        for (EmbeddedRedis sentinel : servers.sentinels()) {
            try (Console console = new Console(sentinel.uri())) {
                console.ask("SENTINEL", "MONITOR", driver, "127.0.0.1", Integer.toString(port), "2");
            }
        }
        refused(
                "redis-sentinel://" + sentinels() + "?master=" + driver,
                driver,
                "127.0.0.1:" + port,
                "if it speaks TLS on this port",
                ALIKE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void plainUriAndSentinelsWithTls(String driver) {
        refused(
                "redis-sentinel://127.0.0.1:" + withTls.tlsPort() + "?master=" + servers.masterName(),
                driver,
                "127.0.0.1:" + withTls.tlsPort(),
                "if it speaks TLS on this port",
                "rediss");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void uriWithTlsAndPlainSentinels(String driver) {
        timedOut(
                "rediss-sentinel://" + sentinels() + "?master=" + servers.masterName() + trusted(),
                driver,
                "127.0.0.1:",
                "does not speak TLS on this port");
    }
}
