package io.keyhold.testkit.driver;

import io.keyhold.testkit.TestCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A self-signed certificate that a client should not accept, although it trusts its issuer. */
final class WrongCertificate {

    private static final String PASSWORD = "changeit";

    private WrongCertificate() {}

    /** Does not name the host on which it is presented. Java trusts the certificates of a key store's own keys too: one file serves both sides. */
    static TestCertificates forAnotherHost(Path directory) {
        Path store = directory.resolve("elsewhere.p12");
        keytool(store, "-genkeypair", "-alias", "elsewhere", "-keyalg", "EC", "-dname", "CN=elsewhere.example");
        return new TestCertificates(store, store, PASSWORD);
    }

    /** Ended yesterday. Signed by an authority, because Java takes a certificate that is trusted itself even then. */
    static TestCertificates expired(Path directory) {
        Path authority = directory.resolve("authority.p12");
        Path server = directory.resolve("expired.p12");
        keytool(authority, "-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=ca.example", "-ext", "bc:c");
        try {
            Files.copy(authority, server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> past = List.of("-startdate", "-2d", "-validity", "1", "-ext", "san=ip:127.0.0.1", "-signer", "ca");
        List<String> command = new ArrayList<>(
                List.of("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=expired.example"));
        command.addAll(past);
        keytool(server, command.toArray(String[]::new));
        keytool(server, "-delete", "-alias", "ca");
        return new TestCertificates(server, authority, PASSWORD);
    }

    private static void keytool(Path store, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.add("-J-XX:TieredStopAtLevel=1"); // Its JVM lives for a moment.
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        try {
            Process keytool =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(keytool.getInputStream().readAllBytes(), Charset.defaultCharset());
            if (output.contains("keytool error")) {
                throw new IOException(output.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a certificate in " + store, e);
        }
    }
}
