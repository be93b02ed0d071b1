package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedCertificates;
import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a server with TLS that demands client certificates. */
@EndToEnd
@Tag("full")
final class TlsUseTest {

    @TempDir
    private Path home = Path.of("");

    @TempDir
    private Path directory = Path.of("");

    @Test
    void mutualTlsByOptionsAndByUri() {
        EmbeddedCertificates files = EmbeddedCertificates.create(directory);
        String authority = files.authority().toString();
        String certificate = files.clientCertificate().toString();
        String key = files.clientKey().toString();
        try (EmbeddedRedis redis =
                EmbeddedRedis.builder().tls(files).demandClientCertificate().start()) {
            Launcher keyhold = Launcher.in(home).on(redis.tlsUri());
            Launcher.Result run = keyhold.run(
                    "run",
                    "--cacert",
                    authority,
                    "--cert",
                    certificate,
                    "--cert-key",
                    key,
                    "backup",
                    "--",
                    "echo",
                    "in");
            assertThat(run.error()).isEmpty();
            assertThat(run.output()).isEqualTo("in\n");

            Launcher byUri = Launcher.in(home)
                    .on(redis.tlsUri() + "?caFile=" + authority + "&certFile=" + certificate + "&keyFile=" + key);
            String token =
                    byUri.run("acquire", "backup", "--lease", "10m").output().strip();
            assertThat(byUri.run("show", "backup").output()).contains(token);
            assertThat(byUri.run("doctor").output()).contains("OK    connection");
            assertThat(byUri.run("release", "backup", "--token", token).exitCode())
                    .isZero();

            refused(
                    keyhold.run("run", "x", "--", "true"),
                    "not signed by an authority that this client trusts",
                    "caFile");
            refused(
                    keyhold.run("run", "--cacert", authority, "x", "--", "true"),
                    "client certificate",
                    "certFile and keyFile");
            refused(
                    Launcher.in(home)
                            // The server waits for the rest of a command: the handshake fails by its timeout, whatever
                            // that is.
                            .on(redis.uri().replace("redis:", "rediss:") + "?connectTimeout=1s")
                            .run("run", "x", "--", "true"),
                    "TLS",
                    "redis:// instead of rediss://");
        }
    }

    private static void refused(Launcher.Result result, String... words) {
        assertThat(result.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.error())
                .startsWith("keyhold: cannot acquire lock 'x'")
                .contains(words)
                .hasLineCount(1);
    }
}
