package io.keyhold.cli.doctor;

/** How bad it is. The worst comes last. */
public enum Level {
    /** Nothing to do. */
    OK,
    /** Locks may fail or be held twice when something else goes wrong, or nobody can tell. */
    WARN,
    /** Locks fail, or may be held twice, though nothing else goes wrong. */
    FAIL
}
