package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.Lease;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@link Limited} does. */
@SuppressWarnings("try")
final class LimitedTest {

    private final Application application = Application.start(Map.of("gpu.permits", "3"), Images.class);
    private final Images images = application.get(Images.class);

    @AfterEach
    void stop() {
        application.close();
    }

    private int available() {
        return application.other().semaphore("gpu:a", 3).availablePermits();
    }

    @Test
    void holdsPermitsWhileMethodRuns() {
        assertThat(images.render("a", this::available)).isEqualTo(1);
        assertThat(available()).isEqualTo(3);
    }

    @Test
    void everyCallTakesItsOwnPermits() {
        assertThat(images.one("a", () -> images.one("a", this::available))).isEqualTo(1);
    }

    @Test
    void busyThrowsOrSkips() throws InterruptedException {
        try (Lease held = application.other().semaphore("gpu:a", 3).acquire(2)) {
            assertThatThrownBy(() -> images.render("a", this::available)).isInstanceOf(AcquireTimeoutException.class);
            assertThat(images.skipping("a")).isNull();
            assertThat(images.one("a", this::available)).isZero();
        }
        assertThat(images.skipping("a")).isEqualTo("ran");
    }

    @Test
    void permitsStayTakenForAtLeast() {
        images.rated("a");
        assertThat(available()).isEqualTo(2);
    }

    /** Methods that few may run at a time. */
    static class Images {

        @Limited(key = "gpu:#{#model}", permits = "${gpu.permits}", take = 2, maxWait = "0s")
        int render(String model, Supplier<Integer> work) {
            return work.get();
        }

        @Limited(key = "gpu:#{#model}", permits = "3")
        int one(String model, Supplier<Integer> work) {
            return work.get();
        }

        @Limited(key = "gpu:#{#model}", permits = "3", take = 2, onBusy = OnBusy.SKIP)
        @Nullable
        String skipping(String model) {
            return "ran";
        }

        @Limited(key = "gpu:#{#model}", permits = "3", atLeast = "1h")
        void rated(String model) {}
    }
}
