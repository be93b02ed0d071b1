package io.keyhold.testkit.driver;

import io.keyhold.testkit.TestCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Self-signed certificates, made once for all tests of a JVM: each takes keytool a second. */
final class ContractCertificates {

    private static final Path DIRECTORY = temporaryDirectory();
    /** Names this host. */
    static final TestCertificates FOR_THIS_HOST = TestCertificates.create(DIRECTORY);
    /** Does not name the host on which it is presented. */
    static final TestCertificates FOR_ANOTHER_HOST = WrongCertificate.forAnotherHost(DIRECTORY);

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
}
