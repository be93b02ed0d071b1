package io.keyhold.tests.contract.lock;

import io.keyhold.Keyhold;
import io.keyhold.inspect.LockHolder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Leases that are renewed. */
public final class Renewed {

    /** Short, so that a renewal comes soon. A machine may stand still for longer: {@link io.keyhold.testkit.StallWatch}. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    private static final Duration LESS_THAN_A_RENEWAL = Duration.ofMillis(500);

    private Renewed() {}

    /** Returns when the server has prolonged the hold of this key. Fails when the key is no longer held. */
    public static void await(Keyhold operator, String key) throws InterruptedException {
        Duration before = remaining(operator, key);
        Duration now = before;
        while (now.compareTo(before.plus(LESS_THAN_A_RENEWAL)) < 0) {
            TimeUnit.MILLISECONDS.sleep(10);
            before = now;
            now = remaining(operator, key);
        }
    }

    private static Duration remaining(Keyhold operator, String key) {
        return operator.inspect().lock(key).holders().stream()
                .findFirst()
                .flatMap(LockHolder::remaining)
                .orElseThrow(() -> new AssertionError(key + " is no longer held"));
    }
}
