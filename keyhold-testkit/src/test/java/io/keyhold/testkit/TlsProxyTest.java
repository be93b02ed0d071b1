package io.keyhold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsProxyTest {
    private static EmbeddedRedis redis;
    private static TestCertificates certificates;

    @BeforeAll
    static void start(@TempDir Path directory) {
        redis = EmbeddedRedis.start();
        certificates = TestCertificates.create(directory);
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void speaksTlsUnderBothNames(String name) throws Exception {
        try (TlsProxy proxy = TlsProxy.to(redis.host(), redis.port(), certificates);
                PlainClient client = new PlainClient(connect(name, proxy, trusting(certificates)))) {
            assertThat(proxy.uri()).isEqualTo("rediss://127.0.0.1:" + proxy.port());
            assertThat(client.ask("ECHO hello")).isEqualTo("$5");
            assertThat(client.receive()).isEqualTo("hello");
        }
    }

    @Test
    void isTrustedOnlyWithNameAndTrustStore() throws Exception {
        try (TlsProxy proxy = TlsProxy.to(redis.host(), redis.port(), certificates)) {
            assertThatThrownBy(() -> connect("example.org", proxy, trusting(certificates)))
                    .isInstanceOf(SSLHandshakeException.class);
            assertThatThrownBy(() -> connect("localhost", proxy, SSLContext.getDefault()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void passesMuchDataAndEndOfServer() throws Exception {
        String large = "x".repeat(40_000);
        try (TlsProxy proxy = TlsProxy.to(redis.host(), redis.port(), certificates);
                PlainClient client = new PlainClient(connect("localhost", proxy, trusting(certificates)))) {
            assertThat(client.ask("ECHO " + large)).isEqualTo("$40000");
            assertThat(client.receive()).isEqualTo(large);
            assertThat(client.ask("QUIT")).isEqualTo("+OK");
            assertThat(client.receive()).isEqualTo("(end)");
        }
    }

    @Test
    void closeEndsOpenConnections() throws Exception {
        TlsProxy proxy = TlsProxy.to(redis.host(), redis.port(), certificates);
        try (PlainClient client = new PlainClient(connect("localhost", proxy, trusting(certificates)))) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
            proxy.close();
            assertThat(receiveOrEnd(client)).isEqualTo("(end)");
        } finally {
            proxy.close();
        }
    }

    @Test
    void unreadableKeyStoreIsNamed() {
        Path keyStore = certificates.keyStore();
        assertThatThrownBy(() -> TlsProxy.to("localhost", 6379, keyStore, "wrong"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(keyStore.toString())
                .hasMessageContaining("password was incorrect");
    }

    /** TLS may still say goodbye before the reset arrives, or not. */
    private static String receiveOrEnd(PlainClient client) {
        try {
            return client.receive();
        } catch (IOException reset) {
            return "(end)";
        }
    }

    private static SSLContext trusting(TestCertificates certificates) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(certificates.trustStore())) {
            trusted.load(content, certificates.password().toCharArray());
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static SSLSocket connect(String name, TlsProxy proxy, SSLContext context) throws IOException {
        Socket plain = new Socket();
        plain.connect(new InetSocketAddress(ServerAddress.local(), proxy.port()));
        SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(plain, name, proxy.port(), true);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return secure;
    }
}
