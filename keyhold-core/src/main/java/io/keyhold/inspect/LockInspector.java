package io.keyhold.inspect;

import java.util.List;
import java.util.Optional;

/**
 * Shows locks from outside. Keys and patterns are without the client's prefix. What it returns was true at one moment
 * of the call; the next moment may differ.
 *
 * <pre>{@code
 * for (LockSnapshot lock : keyhold.inspect().list("invoice:*")) {
 *     System.out.println(lock.key() + " is held by " + lock.holder() + ", " + lock.waiterCount() + " wait");
 * }
 * }</pre>
 */
public interface LockInspector {

    /**
     * Returns what is known of this key.
     *
     * @param key the key of a lock, a semaphore or a read/write lock, held or not
     * @return its state now
     */
    LockSnapshot lock(String key);

    /**
     * Returns the locks that are held now and whose key matches the pattern. On Redis this reads
     * the whole key space with SCAN, which blocks no other client but takes its time.
     *
     * <p>Locks of other clients of the SET NX PX family are not listed, because nothing tells their keys from any other text; {@link #lock} shows
     * them. On a quorum, a lock is listed if any node sees it as held; with less than a majority it has no
     * holder.
     *
     * @param pattern {@code *} stands for any characters, {@code ?} for one, {@code [ab]} for a or b, and a backslash quotes the
     *     next character
     * @return the locks, sorted by key
     */
    List<LockSnapshot> list(String pattern);

    /**
     * Returns a part of {@link #list}, for callers that want to pause between the parts or to stop early. A lock that is held
     * from the first part to the last is found at least once.
     *
     * @param pattern as in {@link #list}
     * @param cursor {@link LockPage#next()} of the part before; empty for the first
     * @return what this part found
     */
    LockPage page(String pattern, Optional<String> cursor);

    /**
     * Returns what this client itself holds and waits for. The only view that shows the waiters of the local queue
     * ({@link io.keyhold.Fairness#BATCHED}), which no server sees. Asks no server; costs as much as there are holds and waiters.
     *
     * @return one for each key and kind, sorted by key
     */
    List<LocalSnapshot> local();

    /**
     * Returns the client's quorum: which nodes can vote, and how its votes went.
     *
     * @return the quorum; empty for a client of one server or in memory
     */
    Optional<QuorumSnapshot> quorum();

    /**
     * Releases the lock regardless of its holder. The holder learns of it at its next renewal, or when it releases if its
     * lease is not renewed, and may work until then: only its fencing token keeps it out. A lock of another client is
     * released too; data of another kind (a hash, a list) is left alone.
     *
     * @param key the key of a lock, a semaphore or a read/write lock
     * @return whether it was held
     * @throws io.keyhold.WrongKindException if the data is not that of a lock, a semaphore or a read/write lock
     * @throws io.keyhold.StoreUnavailableException if the server could not be reached or did not reply; on a quorum if too few nodes
     *     replied to be sure
     */
    boolean forceRelease(String key);

    /**
     * Takes the lock, or the permits of one holder, away from the holder that was seen before, and only from that one: if another
     * client holds it by now, that one is left alone, and so is data of another kind. Otherwise as {@link #forceRelease(String)}.
     *
     * @param expectedToken {@link LockHolder#token()} of the holder that was seen
     * @return whether that token still held it
     */
    boolean forceRelease(String key, String expectedToken);
}
