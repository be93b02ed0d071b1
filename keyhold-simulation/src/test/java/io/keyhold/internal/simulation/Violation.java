package io.keyhold.internal.simulation;

/** Something happened that must not happen. */
final class Violation extends AssertionError {

    private static final long serialVersionUID = 1L;

    Violation(String what) {
        super(what);
    }
}
