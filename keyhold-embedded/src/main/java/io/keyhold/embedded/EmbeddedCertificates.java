package io.keyhold.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A throw-away certificate authority with a certificate for a server on this host and one for a client, in the formats that
 * servers and clients read. Valid for ten days.
 *
 * <pre>{@code
 * EmbeddedCertificates certificates = EmbeddedCertificates.create(temporaryDirectory);
 * try (EmbeddedRedis redis = EmbeddedRedis.builder().tls(certificates).start()) {
 *     connect(redis.tlsUri() + "?trustStore=" + certificates.trustStore()
 *             + "&trustStorePassword=" + certificates.password());
 * }
 * }</pre>
 *
 * <p>The JDK's {@code keytool} makes them, in processes of its own, which takes a second or two: make them once for several
 * servers.
 *
 * @param authority PEM: the certificate of the authority
 * @param serverCertificate PEM: for {@code localhost} and {@code 127.0.0.1}
 * @param serverKey PEM (PKCS #8): its private key
 * @param clientCertificate PEM
 * @param clientKey PEM (PKCS #8): its private key
 * @param trustStore PKCS12: the certificate of the authority
 * @param clientKeyStore PKCS12: the certificate of the client with its private key
 * @param password of both stores, and of the key
 */
public record EmbeddedCertificates(
        Path authority,
        Path serverCertificate,
        Path serverKey,
        Path clientCertificate,
        Path clientKey,
        Path trustStore,
        Path clientKeyStore,
        String password) {

    private static final String PASSWORD = "throw-away";

    /** For keytool's JVM, which lives for a moment, and makes keys that need no costly password hash. Each run would take a second otherwise. */
    private static final List<String> QUICK = List.of(
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-J-Dkeystore.pkcs12.macIterationCount=1",
            "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
            "-J-Dkeystore.pkcs12.keyPbeIterationCount=1");

    private static final String AUTHORITY = "authority";
    private static final String SERVER = "server";
    private static final String CLIENT = "client";

    /**
     * Writes the files into this directory, which must exist. Replaces those of an earlier call.
     *
     * @throws EmbeddedRedisException if that fails; the message ends with what keytool said
     */
    public static EmbeddedCertificates create(Path directory) {
        EmbeddedCertificates files = new EmbeddedCertificates(
                directory.resolve("authority.pem"),
                directory.resolve("server.pem"),
                directory.resolve("server-key.pem"),
                directory.resolve("client.pem"),
                directory.resolve("client-key.pem"),
                directory.resolve("trust-store.p12"),
                directory.resolve("client-key-store.p12"),
                PASSWORD);
        Path all = directory.resolve("all.p12");
        try {
            Files.deleteIfExists(all);
            generate(all, AUTHORITY, "CN=Keyhold throw-away authority", "-ext", "bc:c", "-ext", "ku:c=keyCertSign");
            generate(all, SERVER, "CN=localhost", "-signer", AUTHORITY, "-ext", "san=dns:localhost,ip:127.0.0.1");
            generate(all, CLIENT, "CN=client", "-signer", AUTHORITY);
            files.export(all);
            return files;
        } catch (IOException | GeneralSecurityException e) {
            throw new EmbeddedRedisException("cannot create certificates in " + directory + ": " + e.getMessage(), e);
        } finally {
            all.toFile().delete();
        }
    }

    private static void generate(Path store, String alias, String name, String... more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(QUICK);
        command.addAll(List.of("-genkeypair", "-alias", alias, "-dname", name, "-validity", "10"));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        command.addAll(List.of(more));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), System.getProperty("native.encoding"));
        int status = ServerProcess.awaitEndUninterruptibly(keytool);
        if (status != 0) {
            throw new IOException("keytool ended with status " + status + ": " + output.strip());
        }
    }

    private void export(Path all) throws IOException, GeneralSecurityException {
        char[] secret = PASSWORD.toCharArray();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(all)) {
            keys.load(content, secret);
        }
        Certificate ca = keys.getCertificate(AUTHORITY);
        Key key = keys.getKey(CLIENT, secret);
        pem(authority, "CERTIFICATE", ca.getEncoded());
        pem(serverCertificate, "CERTIFICATE", keys.getCertificate(SERVER).getEncoded());
        pem(serverKey, "PRIVATE KEY", keys.getKey(SERVER, secret).getEncoded());
        pem(clientCertificate, "CERTIFICATE", keys.getCertificate(CLIENT).getEncoded());
        pem(clientKey, "PRIVATE KEY", key.getEncoded());

        KeyStore trusted = empty();
        trusted.setCertificateEntry(AUTHORITY, ca);
        store(trusted, trustStore);
        KeyStore client = empty();
        client.setKeyEntry(CLIENT, key, secret, keys.getCertificateChain(CLIENT));
        store(client, clientKeyStore);
    }

    private static void pem(Path file, String kind, byte[] content) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        ServerDirectory.createForOwner(file);
        Files.writeString(file, "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD.toCharArray());
        return store;
    }

    private static void store(KeyStore store, Path file) throws IOException, GeneralSecurityException {
        ServerDirectory.createForOwner(file);
        try (OutputStream content = Files.newOutputStream(file)) {
            store.store(content, PASSWORD.toCharArray());
        }
    }

    /** Returns the directives that make a server use these certificates. */
    ServerOptions directives(int port, boolean demandClientCertificate) {
        return ServerOptions.NONE
                .with("tls-port", Integer.toString(port))
                .with("tls-cert-file", serverCertificate.toAbsolutePath().toString())
                .with("tls-key-file", serverKey.toAbsolutePath().toString())
                .with("tls-ca-cert-file", authority.toAbsolutePath().toString())
                .with("tls-auth-clients", demandClientCertificate ? "yes" : "no");
    }
}
