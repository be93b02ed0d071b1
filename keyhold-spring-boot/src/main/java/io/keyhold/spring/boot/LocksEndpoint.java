package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import io.keyhold.inspect.LocalSnapshot;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The endpoint {@code locks}: which locks are held, by whom, and who waits. Reads only, unless {@code management.endpoint.locks.access} is
 * {@code unrestricted}: then a lock can be taken from the holder that was seen.
 */
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public class LocksEndpoint {

    /** The type of the audit event of a release. */
    public static final String RELEASED = "KEYHOLD_LOCK_RELEASED";

    private static final int MOST_LOCKS = 1000;

    private final Keyhold keyhold;
    private final ApplicationEventPublisher events;

    /**
     * Creates the endpoint.
     *
     * @param keyhold the client whose locks it shows
     * @param events where releases are reported
     */
    public LocksEndpoint(Keyhold keyhold, ApplicationEventPublisher events) {
        this.keyhold = Objects.requireNonNull(keyhold, "keyhold must not be null");
        this.events = Objects.requireNonNull(events, "events must not be null");
    }

    /**
     * Returns the locks that are held, without the clients that wait.
     *
     * @param pattern which keys, as in the command KEYS; all of them if it is not given
     * @return at most a thousand locks
     */
    @ReadOperation
    public Locks locks(@Nullable String pattern) {
        List<LockSnapshot> found = keyhold.inspect().list(pattern == null ? "*" : pattern);
        List<LocalSnapshot> local = keyhold.inspect().local();
        return new Locks(
                found.size(),
                found.stream()
                        .limit(MOST_LOCKS)
                        .map(lock -> Lock.of(lock, local))
                        .toList());
    }

    /**
     * Returns one lock.
     *
     * @param key the key; may contain slashes
     * @return its holders and its queue
     */
    @ReadOperation
    public Lock lock(@Selector(match = Match.ALL_REMAINING) String... key) {
        return look(String.join("/", key));
    }

    private Lock look(String key) {
        return Lock.of(keyhold.inspect().lock(key), keyhold.inspect().local());
    }

    /**
     * Takes a lock from a holder that does not release it: from this one, and from no other.
     *
     * @param context the operator
     * @param token the token of the holder, as {@link #lock} shows it
     * @param key the key; may contain slashes
     * @return whether it was released, and the lock afterwards
     */
    @DeleteOperation
    public Release release(
            SecurityContext context, String token, @Selector(match = Match.ALL_REMAINING) String... key) {
        String name = String.join("/", key);
        boolean released = keyhold.inspect().forceRelease(name, token);
        String operator =
                context.getPrincipal() != null ? context.getPrincipal().getName() : "anonymous";
        events.publishEvent(new AuditApplicationEvent(
                new AuditEvent(operator, RELEASED, Map.of("key", name, "token", token, "released", released))));
        return new Release(released, look(name));
    }

    /**
     * The locks that are held.
     *
     * @param count how many there are
     * @param locks the first thousand of them
     */
    public record Locks(int count, List<Lock> locks) implements OperationResponseBody {}

    /**
     * A lock, a semaphore or a read/write lock.
     *
     * @param key the key, without the prefix of the client
     * @param kind lock, semaphore or read_write
     * @param held whether there is a holder
     * @param permits how many permits there are
     * @param availablePermits how many of them are available
     * @param holderCount how many holders there are
     * @param holders the first hundred holders
     * @param waiterCount how many requests wait in the queue of the server
     * @param queue the first hundred of them
     * @param localWaiterCount how many requests of this application wait. Of those with the same key, one may be in the queue of the server
     */
    public record Lock(
            String key,
            String kind,
            boolean held,
            int permits,
            int availablePermits,
            long holderCount,
            List<Holder> holders,
            long waiterCount,
            List<Waiter> queue,
            int localWaiterCount)
            implements OperationResponseBody {

        static Lock of(LockSnapshot lock, List<LocalSnapshot> local) {
            return new Lock(
                    lock.key(),
                    lower(lock.kind()),
                    lock.isHeld(),
                    lock.permits(),
                    lock.availablePermits(),
                    lock.holderCount(),
                    lock.holders().stream().map(Holder::of).toList(),
                    lock.waiterCount(),
                    lock.queue().stream().map(Waiter::of).toList(),
                    local.stream()
                            .filter(seen -> seen.key().equals(lock.key()))
                            .mapToInt(seen -> seen.waiters().size())
                            .sum());
        }
    }

    /**
     * A holder.
     *
     * @param token what a release needs
     * @param mode exclusive or shared
     * @param permits how many permits it holds
     * @param foreign whether it is not a Keyhold client
     * @param resting whether the hold has ended and the key stays taken for a while
     * @param clientName the name of its client
     * @param host its machine
     * @param processId its process
     * @param fencingToken its fencing token
     * @param heldSince when it was granted
     * @param remainingMillis how long it holds unless it is renewed; null if it never expires
     */
    public record Holder(
            String token,
            String mode,
            int permits,
            boolean foreign,
            boolean resting,
            @Nullable String clientName,
            @Nullable String host,
            @Nullable Long processId,
            @Nullable Long fencingToken,
            @Nullable Instant heldSince,
            @Nullable Long remainingMillis) {

        static Holder of(LockHolder holder) {
            return new Holder(
                    holder.token(),
                    lower(holder.mode()),
                    holder.permits(),
                    holder.foreign(),
                    holder.isResting(),
                    holder.clientName().orElse(null),
                    holder.host().orElse(null),
                    orNull(holder.processId()),
                    orNull(holder.fencingToken()),
                    holder.heldSince().orElse(null),
                    holder.remaining().map(Duration::toMillis).orElse(null));
        }
    }

    /**
     * A request that waits.
     *
     * @param token the value of the key once it holds
     * @param mode exclusive or shared
     * @param permits how many permits it waits for
     * @param clientName the name of its client
     * @param host its machine
     * @param processId its process
     * @param waitingSince when it joined the queue
     */
    public record Waiter(
            String token,
            String mode,
            int permits,
            @Nullable String clientName,
            @Nullable String host,
            @Nullable Long processId,
            Instant waitingSince) {

        static Waiter of(LockWaiter waiter) {
            return new Waiter(
                    waiter.token(),
                    lower(waiter.mode()),
                    waiter.permits(),
                    waiter.clientName().orElse(null),
                    waiter.host().orElse(null),
                    orNull(waiter.processId()),
                    waiter.waitingSince());
        }
    }

    /**
     * What became of a release.
     *
     * @param released whether the holder had it, and has it no longer
     * @param lock the lock afterwards
     */
    public record Release(boolean released, Lock lock) implements OperationResponseBody {}

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
