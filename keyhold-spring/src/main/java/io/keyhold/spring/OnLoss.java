package io.keyhold.spring;

/** What happens if a lock or permits are lost while the method runs. A {@link LeaseLostEvent} is published in any case. */
public enum OnLoss {
    /** The method goes on, and {@link io.keyhold.LeaseLostException} is thrown at its end; what the method itself throws has it as suppressed. */
    THROW,
    /** The same, and the thread of the method is interrupted at once. Not for methods that return a stage, {@code Mono} or {@code Flux}. */
    INTERRUPT
}
