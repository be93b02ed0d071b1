package io.keyhold.internal;

/**
 * A lock's key under both of its names.
 *
 * @param name what the user calls it
 * @param stored the same behind the client's prefix: what the store calls it
 */
public record LockKey(String name, String stored) {

    /** Checked, and put behind the prefix. */
    public static LockKey of(String prefix, String name) {
        return new LockKey(name, Preconditions.prefixed(prefix, Preconditions.key(name)));
    }

    @Override
    public String toString() {
        return "'" + name + "'";
    }
}
