package io.keyhold.testkit.driver;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.connectionFailure;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedCertificates;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisDriver;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.testkit.TestCertificates;
import io.keyhold.testkit.TlsProxy;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Encrypted connections, and whom they trust. */
public interface TlsContract extends DriverUnderTest {

    @ParameterizedTest
    @EnumSource
    default void trustedCertificateIsAccepted(CallMode mode) {
        TestCertificates certificates = ContractCertificates.FOR_THIS_HOST;
        try (TlsProxy tls = TlsProxy.to(server().host(), server().port(), certificates);
                RedisDriver driver = open(tls.uri() + trusting(certificates))) {
            assertThat(reply(driver.call(RedisCall.of("ECHO", "over TLS"), mode)))
                    .isEqualTo("over TLS");
            assertThat(reply(Work.pipeline(driver, mode, RedisCall.of("PING")))).containsExactly("PONG");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void untrustedCertificateIsRefused(CallMode mode) {
        TestCertificates certificates = ContractCertificates.FOR_THIS_HOST;
        try (TlsProxy tls = TlsProxy.to(server().host(), server().port(), certificates);
                RedisDriver driver = open(tls.uri() + "?verifyHostname=false")) {
            var failure = connectionFailure(driver.call(RedisCall.of("PING"), mode));
            assertThat(failure.failure()).isEqualTo(Failure.NOT_CONNECTED);
            assertThat(failure)
                    .hasMessageContaining("127.0.0.1:" + tls.port())
                    .hasMessageContaining("not signed by an authority that this client trusts")
                    .hasMessageContaining("caFile");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void certificateForOtherHostIsRefusedUnlessAllowed(CallMode mode) {
        TestCertificates elsewhere = ContractCertificates.FOR_ANOTHER_HOST;
        try (TlsProxy tls = TlsProxy.to(server().host(), server().port(), elsewhere);
                RedisDriver strict = open(tls.uri() + trusting(elsewhere));
                RedisDriver lax = open(tls.uri() + trusting(elsewhere) + "&verifyHostname=false")) {
            var failure = connectionFailure(strict.call(RedisCall.of("PING"), mode));
            assertThat(failure.failure()).isEqualTo(Failure.NOT_CONNECTED);
            assertThat(failure).hasMessageContaining("its certificate is for another host");
            assertThat(reply(lax.call(RedisCall.of("PING"), mode))).isEqualTo("PONG");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void failuresAreDistinguishedBehindTls(CallMode mode) {
        undisturbed(() -> {
            TestCertificates certificates = ContractCertificates.FOR_THIS_HOST;
            try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                    TlsProxy tls = TlsProxy.to("127.0.0.1", proxy.port(), certificates);
                    RedisDriver driver = open(tls.uri() + trusting(certificates) + "&commandTimeout=500ms")) {
                String key = fresh();
                reply(driver.call(RedisCall.of("PING"), mode));
                proxy.swallowReplies();
                assertThat(connectionFailure(driver.call(RedisCall.of("INCR", key), mode))
                                .failure())
                        .isEqualTo(Failure.TIMED_OUT);
                proxy.heal();
                assertThat(reply(driver.call(RedisCall.of("INCR", key), mode))).isEqualTo(2L);
                var cut = proxy.cutAfterNextRequestContaining(key);
                assertThat(connectionFailure(driver.call(RedisCall.of("INCR", key), mode))
                                .failure())
                        .isEqualTo(Failure.CONNECTION_LOST);
                reply(cut);
                assertThat(reply(driver.call(RedisCall.of("INCR", key), mode))).isEqualTo(4L);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    default void serverWithoutTlsIsRefused(CallMode mode) {
        undisturbed(() -> {
            String uri = server().uri().replace("redis://", "rediss://");
            try (RedisDriver driver = open(uri + "?connectTimeout=500ms")) {
                var failure = connectionFailure(driver.call(RedisCall.of("PING"), mode));
                assertThat(failure.failure()).isEqualTo(Failure.NOT_CONNECTED);
                assertThat(failure)
                        .hasMessageContaining(":" + server().port())
                        .hasMessageContaining("speak TLS on this port")
                        .hasMessageContaining("redis:// instead of rediss://");
            }
        });
    }

    @Test
    default void expiredCertificateIsRefused(@TempDir Path directory) {
        TestCertificates expired = WrongCertificate.expired(directory);
        try (TlsProxy tls = TlsProxy.to(server().host(), server().port(), expired);
                RedisDriver driver = open(tls.uri() + trusting(expired))) {
            for (CallMode mode : CallMode.values()) {
                var failure = connectionFailure(driver.call(RedisCall.of("PING"), mode));
                assertThat(failure.failure()).isEqualTo(Failure.NOT_CONNECTED);
                assertThat(failure).hasMessageContaining("its certificate has expired");
            }
        }
    }

    @Test
    default void clientCertificateIsPresented(@TempDir Path directory) {
        EmbeddedCertificates files = EmbeddedCertificates.create(directory);
        String trust = "?clientName=tls&caFile=" + files.authority();
        String store = "&keyStore=" + files.clientKeyStore() + "&keyStorePassword=" + files.password();
        try (EmbeddedRedis strict = EmbeddedRedis.builder()
                        .tls(files)
                        .demandClientCertificate()
                        .start();
                RedisDriver pem = open(strict.tlsUri() + trust + "&certFile=" + files.clientCertificate() + "&keyFile="
                        + files.clientKey());
                RedisDriver stored = open(strict.tlsUri() + trust + store);
                RedisDriver without = open(strict.tlsUri() + trust);
                RedisDriver plain = open("redis://127.0.0.1:" + strict.tlsPort() + "?clientName=plain")) {
            for (CallMode mode : CallMode.values()) {
                assertThat(reply(pem.call(RedisCall.of("PING"), mode))).isEqualTo("PONG");
                assertThat(reply(stored.call(RedisCall.of("PING"), mode))).isEqualTo("PONG");
                var demanded = connectionFailure(without.call(RedisCall.of("PING"), mode));
                assertThat(demanded.failure()).isEqualTo(Failure.NOT_CONNECTED);
                assertThat(demanded)
                        .hasMessageContaining("127.0.0.1:" + strict.tlsPort())
                        .hasMessageContaining("client certificate")
                        .hasMessageContaining("add certFile and keyFile, or keyStore, to the URI");
                var closed = connectionFailure(plain.call(RedisCall.of("PING"), mode));
                assertThat(closed.failure()).isEqualTo(Failure.NOT_CONNECTED);
                assertThat(closed)
                        .hasMessageContaining("127.0.0.1:" + strict.tlsPort())
                        .hasMessageContaining("use rediss:// instead of redis://");
            }
        }
    }

    /** Java reads from a connection with TLS 1.3 before it closes it, for as long as a reply may take. */
    @Test
    default void silentServerDelaysNoClose(@TempDir Path directory) throws Exception {
        EmbeddedCertificates files = EmbeddedCertificates.create(directory);
        try (EmbeddedRedis server = EmbeddedRedis.builder().tls(files).start();
                RedisDriver driver = open(server.tlsUri() + "?commandTimeout=60s&caFile=" + files.authority())) {
            SessionsAtOnce.hold(driver, 4).end();
            server.pause();
            CompletableFuture.runAsync(driver::close).get(30, TimeUnit.SECONDS);
        }
    }

    /** A proxy that serves several hosts under one address needs it. */
    @Test
    default void hostNameIsSent() throws Exception {
        TestCertificates certificates = ContractCertificates.FOR_THIS_HOST;
        try (HostNameListener listener = HostNameListener.start(certificates);
                RedisDriver driver = open(
                        "rediss://localhost:" + listener.port() + trusting(certificates) + "&connectTimeout=30s")) {
            var call = driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS);
            assertThat(listener.requested().get(60, TimeUnit.SECONDS)).isEqualTo("localhost");
            connectionFailure(call);
        }
    }

    @Test
    default void unreadableTrustStoreIsRefusedAtOnce(@TempDir Path directory) {
        TestCertificates certificates = ContractCertificates.FOR_THIS_HOST;
        String missing = directory.resolve("missing.p12").toString();
        assertThatThrownBy(() -> open("rediss://localhost?trustStore=" + missing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(missing);
        assertThatThrownBy(() -> open(
                        "rediss://localhost?trustStore=" + certificates.trustStore() + "&trustStorePassword=guessed"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(certificates.trustStore().toString())
                .hasMessageNotContaining("guessed");
    }

    private static String trusting(TestCertificates certificates) {
        return "?trustStore=" + certificates.trustStore() + "&trustStorePassword=" + certificates.password();
    }
}
