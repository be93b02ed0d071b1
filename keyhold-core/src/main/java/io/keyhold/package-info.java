/**
 * Distributed locks and semaphores on Redis: what a user of Keyhold types.
 *
 * <pre>{@code
 * try (Keyhold keyhold = Keyhold.connect("redis://localhost:6379")) {       // one for the application
 *     DistributedLock lock = keyhold.lock("invoice:42");
 *     try (Lease lease = lock.acquire()) {
 *         database.write(invoice, lease.fencingToken());                    // the lock is held here
 *     }
 * }
 * }</pre>
 *
 * <p>{@link io.keyhold.Keyhold} is the client; {@code Keyhold.inMemory()} is one for unit tests, and
 * {@link io.keyhold.KeyholdBuilder} has all of its settings. It hands out
 *
 * <ul>
 *   <li>{@link io.keyhold.DistributedLock}, by {@code lock(key)}, and by {@code allOf(keys)} for several keys at once;
 *   <li>{@link io.keyhold.DistributedSemaphore}, by {@code semaphore(key, permits)};
 *   <li>{@link io.keyhold.DistributedReadWriteLock}, by {@code readWriteLock(key)}.
 * </ul>
 *
 * <p>Every grant is a {@link io.keyhold.Lease}. <b>A lease can be lost</b> while its holder works: the server was
 * unreachable for too long, the process was suspended, or the key was deleted. The lease reports that
 * ({@link io.keyhold.Lease#lost()}, {@link io.keyhold.HoldOptions.Builder#onLost}), and its
 * {@linkplain io.keyhold.Lease#fencingToken() fencing token} lets the protected resource refuse a holder that has not noticed.
 *
 * <p>How a hold lasts and how it is waited for is set by {@link io.keyhold.LockOptions} and
 * {@link io.keyhold.SemaphoreOptions}, which share most of their settings ({@link io.keyhold.HoldOptions}). By default a lease of
 * 30 seconds is renewed while it is held, and a request waits indefinitely.
 *
 * <p>A {@link io.keyhold.KeyholdListener} is told of every request, grant and end of a hold, for metrics, tracing and histories.
 * {@link io.keyhold.Keyhold#inspect()} shows the locks of all clients, and what this client itself holds and waits for.
 *
 * <p>All exceptions are unchecked and extend {@link io.keyhold.KeyholdException}. A bad argument is refused with an exception that
 * names the value and the rule, before anything is sent.
 */
@NullMarked
package io.keyhold;

import org.jspecify.annotations.NullMarked;
