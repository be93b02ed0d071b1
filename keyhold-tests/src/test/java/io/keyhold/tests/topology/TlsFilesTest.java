package io.keyhold.tests.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.embedded.EmbeddedCertificates;
import io.keyhold.spi.RedisUri;
import io.keyhold.spi.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that a URI names for TLS are checked when a client is built, before anything is sent. */
class TlsFilesTest {

    @TempDir
    private static Path directory;

    private static EmbeddedCertificates files;

    @BeforeAll
    static void createCertificates() {
        files = EmbeddedCertificates.create(directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void badFileIsRefusedWhenClientIsBuilt(String driver) throws IOException {
        Path text = Files.writeString(directory.resolve(driver + ".txt"), "no certificate");
        refused(driver, "caFile=" + directory.resolve("missing.pem"), "caFile '", "missing.pem' does not exist");
        refused(driver, "caFile=" + text, "caFile '" + text + "' has no certificate in PEM", "openssl x509");
        refused(driver, "trustStore=" + files.authority(), "is a PEM file, not a key store; name it with caFile");
        refused(driver, "trustStore=" + files.trustStore(), "give its password with trustStorePassword");
        refused(driver, "keyStore=" + files.clientCertificate(), "name it with certFile and keyFile");
        refused(
                driver,
                "keyStore=" + files.clientKeyStore() + "&keyStorePassword=s3cr3t",
                "keyStore '",
                "cannot be read");
        refused(driver, pair(files.clientCertificate(), text), "keyFile '" + text + "' has no private key in PEM");
        refused(
                driver,
                pair(files.clientCertificate(), files.serverKey()),
                "keyFile '" + files.serverKey() + "' is not the private key",
                "certFile '" + files.clientCertificate() + "'");
        refused(
                driver,
                "keyStore=" + files.trustStore() + "&keyStorePassword=" + files.password(),
                "has no private key; a store with certificates only belongs to trustStore");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
    void otherKindOfKeyNamesTheCommandThatConvertsIt(String kind) throws IOException {
        Path key = directory.resolve(kind.replace(' ', '-') + ".pem");
        Files.writeString(key, Files.readString(files.clientKey()).replace("PRIVATE KEY", kind));
        refused(
                "jedis",
                pair(files.clientCertificate(), key),
                "has a key of the kind '" + kind + "'",
                "openssl pkcs8 -topk8 -nodes -in " + key);
    }

    @Test
    void certificateAndKeyMayBeInOneFileWithText() throws IOException {
        Path both = directory.resolve("both.pem");
        Files.writeString(
                both,
                "Certificate:\n" + Files.readString(files.clientCertificate()) + "\n"
                        + Files.readString(files.clientKey()));
        assertThat(tls(pair(both, both)).keyManagers()).isPresent();
    }

    @Test
    void changedFileIsReadForNextConnection() throws IOException {
        Path ca = directory.resolve("rotated.pem");
        Files.copy(files.authority(), ca);
        TlsSettings tls = tls("caFile=" + ca);
        SSLContext first = tls.context();
        assertThat(tls.context()).isSameAs(first);
        Files.setLastModifiedTime(ca, FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(tls.context()).isNotSameAs(first);
    }

    /** As {@code -Djavax.net.ssl.keyStore} would set it. */
    @Test
    void keyStoreOfJvmIsUsedWithoutOther() {
        assertThat(tls("caFile=" + files.authority()).keyManagers()).isEmpty();
        System.setProperty("javax.net.ssl.keyStore", files.clientKeyStore().toString());
        System.setProperty("javax.net.ssl.keyStorePassword", files.password());
        try {
            assertThat(tls("caFile=" + files.authority()).keyManagers()).isPresent();
        } finally {
            System.clearProperty("javax.net.ssl.keyStore");
            System.clearProperty("javax.net.ssl.keyStorePassword");
        }
    }

    private static TlsSettings tls(String parameters) {
        return RedisUri.parse("rediss://localhost?" + parameters).tlsSettings();
    }

    private static String pair(Path certificate, Path key) {
        return "certFile=" + certificate + "&keyFile=" + key;
    }

    private static void refused(String driver, String parameters, String... words) {
        assertThatThrownBy(() -> Keyhold.connect("rediss://localhost?driver=" + driver + "&" + parameters))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words)
                .hasMessageNotContaining("s3cr3t");
    }
}
