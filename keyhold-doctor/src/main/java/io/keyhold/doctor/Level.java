package io.keyhold.doctor;

/** The severity of a finding, in ascending order. */
public enum Level {
    /** Nothing to do. */
    OK,
    /** Locks may fail or be held twice if something else fails, or it could not be checked. */
    WARN,
    /** Locks fail or may be held twice even if nothing else fails. */
    FAIL
}
