package io.keyhold.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;

/** An option or a parameter of a command, with its value once the command line was parsed. */
final class Argument<T> {

    private final ArgSpec spec;

    Argument(ArgSpec spec) {
        this.spec = spec;
    }

    boolean isGiven() {
        return spec.getValue() != null;
    }

    /** Returns the value; null if it was not given. */
    @Nullable
    T get() {
        return spec.getValue();
    }

    T orElse(T other) {
        T value = spec.getValue();
        return value != null ? value : other;
    }
}
