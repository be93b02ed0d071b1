package io.keyhold.spring;

/** When the lock of a method is released. */
public enum ReleaseAfter {
    /** When the method has ended, and the transaction in which it was called too: other processes see what it wrote before they get the lock. */
    TRANSACTION,
    /** When the method has ended, even if it was called in a transaction that goes on. */
    METHOD
}
