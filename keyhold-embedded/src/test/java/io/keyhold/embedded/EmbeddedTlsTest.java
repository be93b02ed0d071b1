package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedTlsTest {
    @TempDir
    private static Path directory;

    private static EmbeddedCertificates certificates;

    @BeforeAll
    static void createCertificates() {
        certificates = EmbeddedCertificates.create(directory);
    }

    @Test
    void trustStoreWorksAcrossRestart() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().tls(certificates).start()) {
            assertThat(redis.tlsUri()).isEqualTo("rediss://127.0.0.1:" + redis.tlsPort());
            assertThat(ping(redis, "127.0.0.1", trusting(null))).isEqualTo("+PONG");
            assertThat(ping(redis, "localhost", trusting(null))).isEqualTo("+PONG");
            redis.restart();
            assertThat(ping(redis, "127.0.0.1", trusting(null))).isEqualTo("+PONG");
            assertThat(RawRedis.ask(redis, "PING")).containsExactly("PONG");
        }
    }

    @Test
    void unknownCertificateIsNotTrusted() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().tls(certificates).start()) {
            assertThatThrownBy(() -> ping(redis, "127.0.0.1", SSLContext.getDefault()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("unable to find valid certification path");
        }
    }

    @Test
    void clientCertificateIsReadFromStoreOrPem() throws Exception {
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder().tls(certificates).demandClientCertificate();
        try (EmbeddedRedis redis = builder.start()) {
            assertThat(ping(redis, "127.0.0.1", trusting(load(certificates.clientKeyStore()))))
                    .isEqualTo("+PONG");
            assertThat(ping(redis, "127.0.0.1", trusting(clientFromPem()))).isEqualTo("+PONG");
            assertThatThrownBy(() -> ping(redis, "127.0.0.1", trusting(null))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void privateKeysAreReadableByTheirOwnerOnly() throws Exception {
        for (Path file :
                new Path[] {certificates.serverKey(), certificates.clientKey(), certificates.clientKeyStore()}) {
            assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(7);
        }
    }

    @Test
    void whatNeedsTlsSaysSo() {
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder();
        try (EmbeddedRedis redis = builder.start()) {
            assertThatIllegalStateException().isThrownBy(redis::tlsUri).withMessage(redis + " was started without TLS");
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.demandClientCertificate().start())
                .withMessage("demandClientCertificate() needs tls(certificates)");
    }

    @Test
    void keytoolIsQuoted(@TempDir Path parent) {
        assertThatThrownBy(() -> EmbeddedCertificates.create(parent.resolve("missing")))
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("cannot create certificates in " + parent.resolve("missing") + ": keytool ended");
    }

    private static String ping(EmbeddedRedis redis, String host, SSLContext context) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(host, redis.tlsPort())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] reply = socket.getInputStream().readNBytes(5);
            if (reply.length < 5) {
                throw new IOException("the server closed the connection");
            }
            return new String(reply, StandardCharsets.US_ASCII);
        }
    }

    private static SSLContext trusting(@Nullable KeyStore client) throws Exception {
        char[] password = certificates.password().toCharArray();
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(load(certificates.trustStore()));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(client, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore load(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(file)) {
            store.load(content, certificates.password().toCharArray());
        }
        return store;
    }

    private static KeyStore clientFromPem() throws Exception {
        String key = Files.readString(certificates.clientKey());
        byte[] encoded = Base64.getMimeDecoder().decode(key.replaceAll("-----[A-Z ]+-----", ""));
        try (InputStream pem = Files.newInputStream(certificates.clientCertificate())) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "client",
                    KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded)),
                    certificates.password().toCharArray(),
                    new Certificate[] {CertificateFactory.getInstance("X.509").generateCertificate(pem)});
            return store;
        }
    }
}
