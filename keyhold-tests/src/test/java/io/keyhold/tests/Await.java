package io.keyhold.tests;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what announces itself in no other way. */
public final class Await {

    private Await() {}

    /** Returns when the condition holds. If it never does, the time limit of the test interrupts this. */
    public static void await(BooleanSupplier condition) {
        try {
            while (!condition.getAsBoolean()) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for a condition", e);
        }
    }
}
