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

/** The commands and the keys of {@link Keyhold#allOf} on Redis by scripts. */
public interface RedisAllOfContract extends OnRedis {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void freeKeysTakeOneCommand(ApiStyle style) throws InterruptedException {
        CompletableFuture<CountingDriver> counting = new CompletableFuture<>();
        try (Keyhold keyhold = client(driver -> counted(driver, counting)).build()) {
            // The first use loads the scripts and reads the server's settings.
            style.release(style.acquire(keyhold.allOf(freshKey(), freshKey())));
            counting.join().forget();
            Lease lease = style.acquire(keyhold.allOf(freshKey(), freshKey(), freshKey(), freshKey()));
            assertThat(counting.join().carried()).containsExactly("EVALSHA");
            counting.join().forget();
            style.release(lease);
            assertThat(counting.join().carried()).containsExactly("EVALSHA");
        }
    }

    @Test
    default void everyKeyExpiresAfterHolderDies() throws InterruptedException {
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
