package io.keyhold;

import io.keyhold.inspect.LockInspector;
import java.util.Collection;

/**
 * A client: the way to locks that live on one Redis server, on a quorum of servers, or inside this JVM. Safe for use by many
 * threads; an application needs one for each server. Opens no connection and starts no thread before it is first used.
 *
 * <pre>{@code
 * try (Keyhold keyhold = Keyhold.connect("redis://localhost:6379")) {
 *     try (Lease lease = keyhold.lock("invoice:42").acquire()) {
 *         post(invoice, lease.fencingToken());                 // the lock is held here
 *     }
 *     keyhold.semaphore("gpu", 4).run(() -> render(frame));
 *     keyhold.allOf("account:1", "account:2").run(() -> transfer());
 * }
 * }</pre>
 *
 * @see KeyholdBuilder
 */
public interface Keyhold extends AutoCloseable {

    /**
     * Returns a client of the server at this URI, and opens no connection yet: the first lock does. The driver is found on the
     * class path: Jedis if it is there, else Lettuce; {@code ?driver=lettuce} chooses.
     *
     * @param uri such as {@code redis://localhost:6379}; see {@link io.keyhold.spi.RedisUri} for all of its forms
     * @return the client
     * @throws IllegalArgumentException if this is not such a URI
     * @throws IllegalStateException if no driver is on the class path
     */
    static Keyhold connect(String uri) {
        return builder().uri(uri).build();
    }

    /**
     * Returns a client whose locks live inside this JVM, with the same semantics: for unit tests, and for programs that run
     * alone until a server is configured. Every call opens a space of its own; {@link InMemorySpace} shares one
     * between clients.
     *
     * @return the client
     */
    static Keyhold inMemory() {
        return builder().inMemory().build();
    }

    /**
     * Returns a client of several independent servers. A client that holds a majority of them holds the lock: locks survive the
     * failure of fewer than half of the servers ({@code docs/quorum.md}). Opens no connection yet.
     *
     * @param uris one for each server, as for {@link #connect}; usually three or five
     * @return the client
     * @see KeyholdBuilder#quorum(Collection, QuorumOptions)
     */
    static Keyhold quorum(String... uris) {
        return builder().quorum(uris).build();
    }

    /**
     * Returns a client of several independent servers, as {@link #quorum(String...)} does.
     *
     * @param uris one for each server, as for {@link #connect}; usually three or five
     * @return the client
     */
    static Keyhold quorum(Collection<String> uris) {
        return builder().quorum(uris).build();
    }

    /**
     * Returns a builder with all the settings of a client.
     *
     * @return a new builder
     */
    static KeyholdBuilder builder() {
        return new KeyholdBuilder();
    }

    /**
     * Returns the lock on this key, with the client's default options. The object is cheap, has no state on the server, and
     * may be kept or thrown away.
     *
     * @param key 1 to 1,000 characters; on Redis it is the name of the key, behind the client's prefix
     * @return the lock
     */
    DistributedLock lock(String key);

    /**
     * Returns the lock on this key, with options of its own.
     *
     * @param key as for {@link #lock(String)}
     * @param options instead of the client's default options
     * @return the lock
     */
    DistributedLock lock(String key, LockOptions options);

    /**
     * Returns the semaphore on this key, with all {@link HoldOptions} of the client's default options.
     *
     * @param key as for {@link #lock(String)}
     * @param permits 1 to 1,000,000,000
     * @return the semaphore
     * @throws UnsupportedOperationException if the client's locks live where there are no semaphores, or if its default options have
     *     a token
     */
    DistributedSemaphore semaphore(String key, int permits);

    /**
     * Returns the semaphore on this key, with options of its own.
     *
     * @param key as for {@link #lock(String)}
     * @param options instead of the client's default options
     * @return the semaphore
     * @throws UnsupportedOperationException if the client's locks live where there are no semaphores
     */
    DistributedSemaphore semaphore(String key, SemaphoreOptions options);

    /**
     * Returns the read/write lock on this key, with the client's default options.
     *
     * @param key as for {@link #lock(String)}
     * @return the read/write lock
     * @throws UnsupportedOperationException if the client's locks live where there are no read/write locks
     */
    DistributedReadWriteLock readWriteLock(String key);

    /**
     * Returns the read/write lock on this key, with options of its own.
     *
     * @param key as for {@link #lock(String)}
     * @param options instead of the client's default options
     * @return the read/write lock
     * @throws UnsupportedOperationException if the client's locks live where there are no read/write locks
     */
    DistributedReadWriteLock readWriteLock(String key, LockOptions options);

    /**
     * Returns the locks on all of these keys as one lock: all of them are acquired, or none. Each excludes {@link #lock(String)} of
     * the same key. If all are free that is one call to the server; else it waits for one after the other, in the order of their
     * names, so that two requests for the same keys never wait for each other. There is one lease, with one fencing token
     * that is larger than all earlier ones of all the keys; losing one key is losing it.
     *
     * @param keys 1 to 1,000 keys in any order, none of them twice
     * @return the locks as one
     * @throws UnsupportedOperationException if the client's locks live where several cannot be acquired together
     */
    DistributedLock allOf(String... keys);

    /**
     * Returns the locks on all of these keys as one lock, as {@link #allOf(String...)} does.
     *
     * @param keys 1 to 1,000 keys in any order, none of them twice
     * @return the locks as one
     */
    DistributedLock allOf(Collection<String> keys);

    /**
     * Returns the locks on all of these keys as one lock, as {@link #allOf(String...)} does, with options of its own.
     *
     * @param keys 1 to 1,000 keys in any order, none of them twice
     * @param options instead of the client's default options
     * @return the locks as one
     */
    DistributedLock allOf(Collection<String> keys, LockOptions options);

    /**
     * Stands for election as leader of this role, as {@link #election(String, ElectionOptions)} does, with the default options.
     *
     * @param role as the key of {@link #lock(String)}: the leader holds that lock
     * @return the election, in which this client is one candidate
     */
    LeaderElection election(String role);

    /**
     * Stands for election as leader of this role, from now on until the election is closed. Candidates of any client take turns.
     *
     * @param role as the key of {@link #lock(String)}: the leader holds that lock
     * @param options how the leadership is held
     * @return the election, in which this client is one candidate
     */
    LeaderElection election(String role, ElectionOptions options);

    /**
     * Returns the view for operators: holders and waiters, and since when.
     *
     * @return the inspector
     */
    LockInspector inspect();

    /**
     * Closes the client's elections, releases every lease that it holds, fails everything that waits with {@link KeyholdClosedException},
     * and ends the client's threads and connections. Waits for the releases, also for those that were in flight before, no longer than a
     * few seconds; a lease that could not be released then ends on its own. If the client leads an election, its revoked listeners
     * return before that, or {@link ElectionOptions#revokedTimeout()} passes. Closing twice is harmless.
     */
    @Override
    void close();
}
