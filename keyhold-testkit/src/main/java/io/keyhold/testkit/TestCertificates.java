package io.keyhold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;

/**
 * A self-signed certificate for {@code localhost} and {@code 127.0.0.1}: a key store for the server and a trust store for
 * the client. Made by the JDK's own keytool, since the JDK has no public API for it.
 *
 * @param keyStore PKCS12, with the private key
 * @param trustStore PKCS12, with the certificate only
 * @param password of both stores, and of the key
 */
public record TestCertificates(Path keyStore, Path trustStore, String password) {
    private static final String ALIAS = "keyhold";

    /** Writes the two stores into the directory, which has to exist. */
    public static TestCertificates create(Path directory) {
        TestCertificates certificates = new TestCertificates(
                directory.resolve("key-store.p12"), directory.resolve("trust-store.p12"), "changeit");
        try {
            certificates.createKeyStore();
            certificates.createTrustStore();
            return certificates;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create certificates in " + directory, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot create certificates in " + directory, e);
        }
    }

    private void createKeyStore() throws IOException {
        Files.deleteIfExists(keyStore);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.add("-J-XX:TieredStopAtLevel=1"); // Its JVM lives for a moment.
        command.addAll(List.of("-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of("-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1,dns:localhost"));
        command.addAll(List.of("-validity", "3650", "-storetype", "PKCS12"));
        command.addAll(List.of("-keystore", keyStore.toString(), "-storepass", password));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), Charset.defaultCharset());
        // Asked of the file and not of the exit status: reading to the end has already waited for the whole work.
        if (!Files.exists(keyStore)) {
            throw new IOException("keytool: " + output.strip());
        }
    }

    private void createTrustStore() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(keyStore)) {
            keys.load(content, password.toCharArray());
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, password.toCharArray());
        trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
        try (OutputStream content = Files.newOutputStream(trustStore)) {
            trusted.store(content, password.toCharArray());
        }
    }
}
