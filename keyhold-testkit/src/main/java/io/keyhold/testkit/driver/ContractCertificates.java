package io.keyhold.testkit.driver;

import io.keyhold.testkit.TestCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Self-signed certificates, made once for all tests of a JVM: each takes keytool a second. */
final class ContractCertificates {

    private static final Path DIRECTORY = temporaryDirectory();
    /** Names this host. */
    static final TestCertificates FOR_THIS_HOST = TestCertificates.create(DIRECTORY);
    /** Does not name the host on which it is presented. */
    static final TestCertificates FOR_ANOTHER_HOST = forAnotherHost(DIRECTORY);

    private ContractCertificates() {}

    private static Path temporaryDirectory() {
        try {
            Path directory = Files.createTempDirectory("keyhold-certificates");
            directory.toFile().deleteOnExit();
            for (String file : List.of("elsewhere.p12", "key-store.p12", "trust-store.p12")) {
                directory.resolve(file).toFile().deleteOnExit();
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for certificates", e);
        }
    }

    /** Java trusts the certificates of a key store's own keys too, so that one file serves both sides. */
    private static TestCertificates forAnotherHost(Path directory) {
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
