package io.keyhold;

import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * One candidate for a role that one process at a time may have, such as running the scheduler. The leader holds the lock whose key is the
 * role, and renews it; the other candidates wait in its queue, in the order in which they came, without polling. (They poll with
 * {@link CommandStyle#TRANSACTIONS}, and a quorum keeps no order.) A candidate that has lost its leadership, or has resigned, stands
 * again until it is {@linkplain #close() closed}.
 *
 * <p>A leader that is cut off from the server is not leader any more before another can be elected. Between {@link #isLeader()} and what
 * the leader does, its process may be stopped for longer than that: pass the {@link #fencingToken()} to whatever it writes to.
 *
 * <p>Listeners run on the client's callback executor, one at a time and in order: every elected is followed by one revoked before
 * the next elected. They should return soon: a listener of this election that blocks delays the next notice, though never {@link #isLeader()}.
 * What a listener throws is logged.
 *
 * <p>Safe for use by many threads. Two elections of one role in the same client are two candidates.
 */
public interface LeaderElection extends AutoCloseable {

    /** Returns the role, which is the key of its lock without the client's prefix. */
    String role();

    /** Returns whether this candidate leads, by local knowledge and without a call. False as soon as it has resigned, lost its lease, or was closed. */
    boolean isLeader();

    /** Returns a number larger than the fencing token of every earlier leader of this role; empty if this candidate does not lead. */
    OptionalLong fencingToken();

    /**
     * Adds a listener that is notified when this candidate is elected, with its fencing token; at once if it leads already.
     *
     * @return this election
     */
    LeaderElection onElected(LongConsumer listener);

    /**
     * Adds a listener that is told when the leadership has ended: lost, resigned, or because this election or its client is being
     * closed. After a loss another candidate may lead by the time that the listener returns. In the other cases none does, because the
     * lock is released after that, unless the listeners take longer than {@link ElectionOptions#revokedTimeout()}.
     *
     * @return this election
     */
    LeaderElection onRevoked(Runnable listener);

    /**
     * Gives the leadership up, and stands again behind the other candidates. {@link #isLeader()} is false from now on; then the
     * revoked listeners are told; when they have returned, at most after {@link ElectionOptions#revokedTimeout()}, the lock is released.
     * Returns after that, or at once if a listener of this election calls it. This candidate stands again
     * 200 ms after its listeners have returned: candidates that poll need that long to come first.
     *
     * @return whether it led
     */
    boolean resign();

    /**
     * Withdraws this candidate for good. A leader resigns first, as with {@link #resign()}. Closing twice is harmless, and closing the client
     * closes its elections.
     */
    @Override
    void close();
}
