package io.keyhold.testkit.driver;

import io.keyhold.testkit.TestCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A self-signed certificate that does not name the host on which it is presented. */
final class CertificateForAnotherHost {

    private CertificateForAnotherHost() {}

    /** Java trusts the certificates of a key store's own keys too, so that one file serves both sides. */
    static TestCertificates create(Path directory) {
        Path store = directory.resolve("elsewhere.p12");
        String password = "changeit";
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "elsewhere",
                "-keyalg",
                "EC",
                "-dname",
                "CN=elsewhere.example",
                "-ext",
                "san=dns:elsewhere.example",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                password);
        try {
            Process keytool =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(keytool.getInputStream().readAllBytes(), Charset.defaultCharset());
            if (!Files.exists(store)) {
                throw new IOException("keytool: " + output.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a certificate in " + directory, e);
        }
        return new TestCertificates(store, store, password);
    }
}
