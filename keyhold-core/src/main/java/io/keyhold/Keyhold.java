package io.keyhold;

import io.keyhold.inspect.LockInspector;
import java.util.Collection;

/**
 * A client: the way to locks that live on one Redis server, or inside this JVM. It is safe for use by many threads; an
 * application needs one for each server. It opens no connection and starts no thread before it is first used.
 */
public interface Keyhold extends AutoCloseable {

    /**
     * A client of the server at this URI, such as {@code redis://localhost:6379}; see {@link io.keyhold.spi.RedisUri}
     * for all of its forms. The driver is found on the class path: Jedis if it is there, else Lettuce;
     * {@code ?driver=lettuce} chooses. Nothing is connected yet.
     */
    static Keyhold connect(String uri) {
        return builder().uri(uri).build();
    }

    /**
     * A client whose locks live inside this JVM, with the same semantics: for unit tests, and for programs that run
     * alone until somebody configures a server. Every call opens a space of its own; {@link InMemorySpace} shares one
     * between clients.
     */
    static Keyhold inMemory() {
        return builder().inMemory().build();
    }

    /**
     * A client of several independent servers, whose locks are held by whoever holds a majority of them: they go on when fewer
     * than half of the servers fail ({@code docs/quorum.md}). {@link KeyholdBuilder#quorum} has the settings.
     *
     * @param uris one for each server; three or five, as a rule
     */
    static Keyhold quorum(String... uris) {
        return builder().quorum(uris).build();
    }

    /** All the settings. */
    static KeyholdBuilder builder() {
        return new KeyholdBuilder();
    }

    /**
     * The lock on this key, with the client's default options. The object is cheap, has no state on the server, and
     * may be kept or thrown away.
     *
     * @param key 1 to 1,000 characters; on Redis it is the name of the key, behind the client's prefix
     */
    DistributedLock lock(String key);

    /** The lock on this key, with options of its own. */
    DistributedLock lock(String key, LockOptions options);

    /**
     * The semaphore on this key, with so many permits; lease, waiting and what happens on a loss as in the client's default
     * options.
     *
     * @param key as for {@link #lock(String)}
     * @param permits 1 to 1,000,000,000
     */
    DistributedSemaphore semaphore(String key, int permits);

    /** The semaphore on this key, with options of its own. */
    DistributedSemaphore semaphore(String key, SemaphoreOptions options);

    /** The read/write lock on this key, with the client's default options. */
    DistributedReadWriteLock readWriteLock(String key);

    /** The read/write lock on this key, with options of its own. */
    DistributedReadWriteLock readWriteLock(String key, LockOptions options);

    /**
     * The locks on all of these keys as one lock: all of them are taken, or none. Each excludes {@link #lock(String)} of the
     * same key. If all are free that is one call to the server; else it waits for one after the other, in the order of their names
     * whatever the order here, so that two who want the same keys never wait for each other. There is one lease, with one
     * fencing token that is larger than all earlier ones of all the keys; losing one key is losing it.
     *
     * @param keys 1 to 1,000 keys, none of them twice
     */
    DistributedLock allOf(String... keys);

    /** As {@link #allOf(String...)}, with options of its own. */
    DistributedLock allOf(Collection<String> keys, LockOptions options);

    /** Who holds what, for operators. */
    LockInspector inspect();

    /**
     * Releases every lease that this client holds, fails everything that waits with {@link KeyholdClosedException},
     * and ends the client's threads and connections. Waits for the releases no longer than a few seconds; a lease that
     * could not be released then ends on its own. Closing twice is harmless.
     */
    @Override
    void close();
}
