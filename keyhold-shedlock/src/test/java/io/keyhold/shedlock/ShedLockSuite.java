package io.keyhold.shedlock;

import static io.keyhold.junit.KeyholdAssertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.junit.InjectKeyhold;
import java.time.Duration;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The tests that ShedLock has for all providers. They sleep, so they run side by side, each on its own server. */
@Execution(ExecutionMode.CONCURRENT)
abstract class ShedLockSuite extends AbstractExtensibleLockProviderIntegrationTest {

    @InjectKeyhold
    private @Nullable Keyhold injected;

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return new KeyholdLockProvider(keyhold());
    }

    @Override
    protected void assertLocked(String name) {
        assertThat(keyhold().lock(KeyholdLockProvider.DEFAULT_KEY_PREFIX + name).isLocked())
                .isTrue();
    }

    /** A lock for a few milliseconds lasts a second on the server: that is waited for. */
    @Override
    protected void assertUnlocked(String name) {
        assertThat(keyhold()).within(Duration.ofSeconds(5)).isFree(KeyholdLockProvider.DEFAULT_KEY_PREFIX + name);
    }

    private Keyhold keyhold() {
        return requireNonNull(injected);
    }
}
