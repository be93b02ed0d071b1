package io.keyhold;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Told of what a client does: for metrics, tracing, application events and histories. Every method does nothing by default.
 *
 * <pre>{@code
 * Keyhold keyhold = Keyhold.builder()
 *         .uri("redis://localhost:6379")
 *         .listener(new KeyholdListener() {
 *             @Override
 *             public void granted(Granted event) {
 *                 waits.record(event.request().name().orElse("other"), event.waited());
 *             }
 *         })
 *         .build();
 * }</pre>
 *
 * <p>Of each request a listener is told {@link #requested}, then either {@link #granted} or {@link #notGranted}, and after
 * {@code granted} once {@link #ended}: each exactly once, in this order, with the same {@link Request}. Events of different requests
 * have no promised order.
 *
 * <p>{@code requested} runs on the thread of the caller, many at a time, and is part of the call: it must return at once. All other
 * methods run on the {@linkplain KeyholdBuilder#callbackExecutor callback executor}, one at a time. They may be slow without a delay for
 * any acquire, release or renewal; events then wait, and if 100,000 of them do, further ones are dropped with a warning. So are events that the
 * executor rejects. What a listener throws is logged, the first time at WARNING, and the next event still arrives.
 *
 * <p>A call that is refused before it asks for anything has no events: a bad argument, a closed client, an
 * {@link AlreadyHeldException}, a thread that is interrupted already.
 */
public interface KeyholdListener {

    /**
     * Called when a caller asks for something, on the thread of the caller and before anything is sent. For a
     * {@link LeaderElection}, which asks by itself, called as the other methods are.
     *
     * @param request what is asked for
     */
    default void requested(Request request) {}

    /**
     * Called when a request was granted.
     *
     * @param event how
     */
    default void granted(Granted event) {}

    /**
     * Called when a request has ended without a grant.
     *
     * @param event why
     */
    default void notGranted(NotGranted event) {}

    /**
     * Called when a hold has ended for this client.
     *
     * @param event how
     */
    default void ended(Ended event) {}

    /**
     * Called when a renewal of leases has had its reply, or has failed.
     *
     * @param event its outcome
     */
    default void renewed(Renewal event) {}

    /**
     * One request: every event about it has the same one.
     *
     * @param id tells the requests of one client apart; starts at 1
     * @param keys its key, or the keys of {@link Keyhold#allOf}, without the client's prefix. Unbounded: not for metrics
     * @param name the name for metrics ({@link HoldOptions#name()})
     * @param kind what is asked for
     * @param permits how many permits of a semaphore; 1 for everything else
     * @param at when it was made, by the clock of this machine
     */
    record Request(long id, List<String> keys, Optional<String> name, Kind kind, int permits, Instant at) {

        /** Copies the keys. */
        public Request {
            keys = List.copyOf(keys);
        }

        /** What a request asks for. */
        public enum Kind {
            /** A lock, by {@link Keyhold#lock}, or the lock of a {@link LeaderElection}. */
            LOCK,
            /** Permits of a semaphore. */
            SEMAPHORE,
            /** The read side of a read/write lock. */
            READ,
            /** The write side of a read/write lock. */
            WRITE,
            /** Several locks at once, by {@link Keyhold#allOf}. */
            ALL_OF
        }
    }

    /**
     * The grant of a request.
     *
     * @param request the request
     * @param waited the time from the request to the grant
     * @param attempts how many attempts it took ({@link Lease#attempts()})
     * @param path how it came
     * @param fencingToken the fencing token of the hold
     * @param token the holder as {@link io.keyhold.inspect.LockHolder#token()} shows it. Holds that are handed over within a client share
     *     it, so it identifies no single hold: to release one by its token, use {@link Lease#token()}
     */
    record Granted(Request request, Duration waited, int attempts, Path path, long fencingToken, String token) {

        /** The ways of a grant. */
        public enum Path {
            /** The first attempt found it free. */
            FREE,
            /** After waiting in the queue at the server. */
            QUEUE,
            /** Handed over by another thread of this client, without a call to the server. */
            LOCAL,
            /** A later attempt found it free: the request does not wait in the queue, or there is none. */
            POLL,
            /** Taken over by its token ({@link DistributedLock#adopt}). */
            ADOPTED
        }
    }

    /**
     * The end of a request without a grant.
     *
     * @param request the request
     * @param waited the time from the request to its end
     * @param attempts how many attempts were made
     * @param outcome why
     * @param failure the exception, if it failed
     */
    record NotGranted(Request request, Duration waited, int attempts, Outcome outcome, Optional<Throwable> failure) {

        /** Why a request was not granted. */
        public enum Outcome {
            /** The time or the attempts were spent. */
            TIMED_OUT,
            /** An attempt that does not wait found it taken. */
            BUSY,
            /** The future was cancelled, or completed by its user. */
            CANCELLED,
            /** The waiting thread was interrupted. */
            INTERRUPTED,
            /** The call threw: the store failed or refused, the client was closed, or nothing was there to adopt. */
            FAILED
        }
    }

    /**
     * The end of a hold.
     *
     * @param request the request that it came of
     * @param held the time from the grant to the end, the reply to the release included
     * @param end how it ended
     * @param loss what is known of the loss, if it was lost
     * @param fencingToken as in {@link Granted}
     * @param token as in {@link Granted}
     */
    record Ended(Request request, Duration held, End end, Optional<LeaseLost> loss, long fencingToken, String token) {

        /** The ways in which a hold ends. */
        public enum End {
            /**
             * Released, by any call that does that, or when the client was closed. Also if the server could not be reached: the release is
             * repeated in the background, and a loss that only this finds is reported by {@link Lease#lost()} alone.
             */
            RELEASED,
            /** Lost while it was held, or found lost by the release. */
            LOST,
            /** Ended without a release ({@link Lease#handOff()}). */
            HANDED_OFF
        }
    }

    /**
     * One call that renewed up to 256 leases. A lease that was released meanwhile does not count.
     *
     * @param renewed how many leases go on
     * @param lost how many were lost
     * @param unknown how many had no reply, and are tried again
     * @param took the time from the call to its reply
     * @param margin the shortest time that was left of any of these leases when the reply came: 0 if one has run out, empty if none of them
     *     expires
     */
    record Renewal(int renewed, int lost, int unknown, Duration took, Optional<Duration> margin) {}
}
