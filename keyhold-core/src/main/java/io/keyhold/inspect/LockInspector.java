package io.keyhold.inspect;

import java.util.List;
import java.util.Optional;

/**
 * Looks at locks from outside. Keys and patterns are without the client's prefix. What it tells was true at one moment
 * of the call; the next moment may differ.
 */
public interface LockInspector {

    /** This key's lock, held or not. */
    LockSnapshot lock(String key);

    /**
     * The locks that are held now, sorted by key, whose key matches the pattern: {@code *} stands for any characters,
     * {@code ?} for one, {@code [ab]} for a or b, and a backslash takes the next character as it is. On Redis this reads
     * the whole key space with SCAN, which holds nobody up but takes its time.
     *
     * <p>Other clients' locks are found on keys that Keyhold has locked too (as long as it remembers their fencing
     * tokens); elsewhere nothing tells their keys from any other text. On a quorum, a lock is listed that any node sees as held;
     * nobody holds it if that is less than a majority.
     */
    List<LockSnapshot> list(String pattern);

    /**
     * The client's quorum: which nodes can vote, and how its votes went. Empty for a client of one server or in memory.
     */
    Optional<QuorumSnapshot> quorum();

    /**
     * Takes the lock away from whoever holds it. That holder hears of it at its next renewal, or when it releases if its
     * lease is not renewed, and may be at work until then: only its fencing token keeps it out. A lock of another client is
     * taken away too; data of another kind (a hash, a list) is left alone, and that is an error.
     *
     * @return whether anyone held it
     * @throws io.keyhold.StoreUnavailableException if the server cannot be asked or refuses; on a quorum if too few nodes could be
     *     asked to be sure
     */
    boolean forceRelease(String key);
}
