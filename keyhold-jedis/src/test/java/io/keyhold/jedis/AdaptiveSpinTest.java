package io.keyhold.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AdaptiveSpinTest {

    private static final long LIMIT = 100;

    private final Input input = new Input();
    private final AdaptiveSpin spin = new AdaptiveSpin(LIMIT, () -> input.nanos);

    /** Input that arrives at a certain look; each but the first follows a yield, which takes some time. */
    private static final class Input extends InputStream {
        private int arrives = Integer.MAX_VALUE;
        private long nanosOfLook = 1;
        private long nanos;
        private int looks;

        @Override
        public int available() {
            nanos += looks == 0 ? 0 : nanosOfLook;
            return looks++ >= arrives ? 1 : 0;
        }

        @Override
        public int read() {
            throw new AssertionError("the spin must not read");
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            throw new AssertionError("the spin must not read");
        }
    }

    /** Returns which of so many reads looked for input before they blocked. */
    private List<Integer> looking(int reads) throws IOException {
        List<Integer> looking = new ArrayList<>();
        for (int read = 0; read < reads; read++) {
            input.looks = 0;
            boolean found = spin.finds(input);
            assertThat(found).isEqualTo(input.looks > input.arrives);
            if (input.looks > 0) {
                looking.add(read);
            }
        }
        return looking;
    }

    @Test
    void missesMakeSpinsRare() throws IOException {
        assertThat(looking(256)).containsExactly(0, 2, 6, 14, 30, 62, 126, 190, 254);
    }

    @Test
    void hitMakesAllReadsSpinAgain() throws IOException {
        looking(5);
        input.arrives = 3;
        assertThat(looking(5)).containsExactly(1, 2, 3, 4);
        input.arrives = Integer.MAX_VALUE;
        assertThat(looking(5)).containsExactly(0, 2);
    }

    @Test
    void lateInputCountsAsMiss() throws IOException {
        input.arrives = 1;
        input.nanosOfLook = 5 * LIMIT; // The yield before it gave the core to a thread that computes.
        assertThat(looking(16)).containsExactly(0, 2, 6, 14);
    }

    @Test
    void spinOfNoTimeLooksForNothing() throws IOException {
        input.arrives = 0;
        assertThat(new AdaptiveSpin(0, () -> input.nanos).finds(input)).isFalse();
        assertThat(input.looks).isZero();
    }
}
