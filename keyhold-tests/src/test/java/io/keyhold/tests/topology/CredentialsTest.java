package io.keyhold.tests.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.Credentials;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Credentials that change while a client lives. */
class CredentialsTest {

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void newConnectionHasNewCredentials(Setup setup) throws InterruptedException {
        AtomicReference<String> token = new AtomicReference<>("s3cr3t-1");
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri())
                        .credentials(() -> new Credentials("app", Objects.requireNonNull(token.get())))
                        .build()) {
            console.ask("ACL", "SETUSER", "app", "on", ">s3cr3t-1", "~*", "&*", "+@all");
            try (Lease before = keyhold.lock("invoice:1").acquire()) {
                assertThat(before.isHeldOnServer()).isTrue();
            }
            console.ask("ACL", "SETUSER", "app", "resetpass", ">s3cr3t-2");
            console.ask("CLIENT", "KILL", "USER", "app");
            token.set("s3cr3t-2");
            try (Lease after =
                    keyhold.lock("invoice:2").tryAcquire(Duration.ofMinutes(1)).orElseThrow()) {
                assertThat(after.isHeldOnServer()).isTrue();
            }
            assertThat(console.text("CLIENT", "LIST")).contains("user=app");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void outdatedCredentialsAreRefused(Setup setup) throws InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold = setup.client(server.uri())
                        .credentials(() -> new Credentials("app", "s3cr3t"))
                        .build()) {
            assertThatThrownBy(() -> keyhold.lock("invoice").acquire())
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("WRONGPASS")
                    .hasMessageNotContaining("s3cr3t");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void supplierThatFailsFailsTheConnection(Setup setup) throws InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold throwing = setup.client(server.uri())
                        .credentials(() -> {
                            throw new IllegalStateException("s3cr3t");
                        })
                        .build();
                Keyhold empty = setup.client(server.uri())
                        .credentials(CredentialsTest::none)
                        .build()) {
            assertThatThrownBy(() -> throwing.lock("invoice").acquire())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(
                            server.port() + ": the supplier of credentials threw java.lang.IllegalStateException")
                    .hasMessageNotContaining("s3cr3t")
                    .matches(failure -> !((StoreUnavailableException) failure).outcomeUnknown());
            assertThatThrownBy(() -> empty.lock("invoice").acquire())
                    .isInstanceOf(KeyholdException.class)
                    .hasMessageContaining("the supplier of credentials returned null");
        }
    }

    /** As a supplier in Kotlin or Groovy may, and one whose library is missing. Nothing was sent. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void supplierMayThrowAnything(Setup setup) throws InterruptedException {
        for (Throwable thrown : List.of(new IOException("s3cr3t"), new NoClassDefFoundError("s3cr3t"))) {
            try (EmbeddedRedis server = EmbeddedRedis.start();
                    Keyhold throwing = setup.client(server.uri())
                            .credentials(() -> CredentialsTest.<RuntimeException>sneakilyThrown(thrown))
                            .build()) {
                assertThatThrownBy(() -> throwing.lock("invoice").acquire())
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(server.port() + ": the supplier of credentials threw "
                                + thrown.getClass().getName())
                        .hasMessageNotContaining("s3cr3t")
                        .matches(failure -> !((StoreUnavailableException) failure).outcomeUnknown());
            }
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> Credentials sneakilyThrown(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @SuppressWarnings("NullAway") // What a user's supplier may do.
    private static Credentials none() {
        @Nullable Credentials none = null;
        return none;
    }

    @Test
    void credentialsNeedUriWithoutPassword() {
        assertThatThrownBy(() -> Keyhold.builder()
                        .uri("redis://:s3cr3t@localhost")
                        .credentials(() -> new Credentials(null, "other"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has a password, and so have the credentials")
                .hasMessageNotContaining("s3cr3t");
        assertThatThrownBy(() -> Keyhold.builder()
                        .inMemory()
                        .credentials(() -> new Credentials(null, "other"))
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("credentials are for servers that are named by URIs");
        assertThat(new Credentials("app", "s3cr3t")).hasToString("Credentials[app]");
    }
}
