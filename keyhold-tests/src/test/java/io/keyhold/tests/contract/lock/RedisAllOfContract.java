package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link Keyhold#allOf} costs on Redis by scripts, and leaves there. */
public interface RedisAllOfContract extends OnRedis {

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void ifAllAreFreeItIsOneCommand(LockFace face) throws InterruptedException {
        CompletableFuture<CountingDriver> counting = new CompletableFuture<>();
        try (Keyhold keyhold = client(driver -> counted(driver, counting)).build()) {
            // The first use loads the scripts and looks at the server's settings.
            face.release(face.acquire(keyhold.allOf(freshKey(), freshKey())));
            counting.join().forget();
            Lease lease = face.acquire(keyhold.allOf(freshKey(), freshKey(), freshKey(), freshKey()));
            assertThat(counting.join().carried()).containsExactly("EVALSHA");
            counting.join().forget();
            face.release(lease);
            assertThat(counting.join().carried()).containsExactly("EVALSHA");
        }
    }

    @Test
    default void everyKeyExpiresWithoutItsHolder() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            keyhold.allOf(key + "a", key + "b").acquire();
            for (String part : new String[] {key + "a", key + "b"}) {
                assertThat((Long) redis(RedisCall.of("PTTL", part))).as(part).isPositive();
            }
        }
    }

    private static RedisDriver counted(RedisDriver driver, CompletableFuture<CountingDriver> heard) {
        CountingDriver counting = new CountingDriver(driver);
        heard.complete(counting);
        return counting;
    }
}
