package io.keyhold.internal.store.redis;

import io.keyhold.Durability;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.UnacknowledgedException;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Grants of one server, or of one primary of a cluster, that survive a failover: {@link Durability#replicas}.
 *
 * <p><b>Acknowledged writes.</b> Behind every script that grants, renews or lets rest goes a {@code WAIT} on the same connection, and the reply
 * counts only if enough replicas have the write. The variants of the scripts for this mode always write something, because a {@code WAIT}
 * covers what its own connection has written. A hand-over is granted when its waiter has asked ({@link AskingListener}); a local hand-over writes
 * nothing: the server holds the same token for the same lease, whichever thread of the client uses it.
 *
 * <p><b>Why that is not enough.</b> Replica B has acknowledged a grant, the master is cut off, and replica C, which has not, is promoted: it
 * knows nothing of the grant. So the scripts that acquire also check, in the same step, that this incarnation of the server may grant; a new one
 * is in {@link Quarantine} first. {@code spec/Durable.tla} has the counterexamples, and checks that both together have none.
 *
 * <p><b>Why both are.</b> A master and the replicas that must acknowledge are a majority. When a quarantine is confirmed, a majority follows the
 * new incarnation, and no node returns to an older one: from then on the old master gets too few acknowledgements. So every lease that it granted
 * or renewed counts from before that moment, and is over when the longest lease has passed.
 */
final class DurableGrants {

    private static final String NO_REPLICAS = "NOREPLICAS";
    private static final int PARTS_IN_QUARANTINE = 5;

    private static final Set<String> CODES_OF_WAIT = Set.of("ERR", "NOPERM");
    /** As it was sent, or as an ACL error names it. */
    private static final Pattern WAIT_COMMAND = Pattern.compile("\\bWAIT\\b|'wait' command");

    private final RedisDriver driver;
    private final Durability durability;
    private final DurableMarkers markers;
    private final Quarantine quarantine;
    private final RedisCall wait;

    /**
     * A reply, and how many replicas have what was written before it.
     *
     * @param reply of the script
     * @param replicas how many have acknowledged
     */
    record Acknowledged(@Nullable Object reply, long replicas) {}

    DurableGrants(RedisDriver driver, String clientId, DurableMarkers markers, DurableSetup setup) {
        this.driver = driver;
        this.durability = setup.durability();
        this.markers = markers;
        this.wait = RedisCall.of(
                "WAIT",
                Integer.toString(durability.replicas()),
                Long.toString(durability.acknowledgeTimeout().toMillis()));
        this.quarantine = new Quarantine(this::arm, markers, driver.address(), clientId, setup);
    }

    /** Acquires by a call for this lock. If the server may not grant, finds out whether it may by now, and asks again if so. */
    CompletionStage<AcquireReply> acquire(String lock, ScriptCall acquiring, CallMode mode, Runnable sending) {
        String marker = markers.of(lock);
        ScriptCall call = acquiring.lastKey(marker);
        return run(call, new CallOptions(mode, CallLane.REQUEST, sending)).thenCompose(first -> {
            Optional<String> known = markerIn(first.reply());
            if (known.isEmpty()) {
                quarantine.notMet(marker);
                return CompletableFuture.completedStage(acquired(first));
            }
            // This thread may be the driver's by now, and must not wait for a reply.
            return quarantine
                    .met(marker, known.get())
                    .thenCompose(status -> status.mayGrant()
                            ? run(call, new CallOptions(CallMode.ASYNCHRONOUS, CallLane.REQUEST, sending))
                                    .thenApply(
                                            second -> markerIn(second.reply()).isEmpty()
                                                    ? acquired(second)
                                                    : inQuarantine(second.reply(), status))
                            : CompletableFuture.completedStage(inQuarantine(first.reply(), status)));
        });
    }

    /** Returns the marker as the script found it, if the server is in quarantine. */
    private static Optional<String> markerIn(@Nullable Object reply) {
        return reply instanceof List<?> parts && parts.size() == PARTS_IN_QUARANTINE
                ? Optional.of(Replies.text(parts.get(PARTS_IN_QUARANTINE - 1)))
                : Optional.empty();
    }

    private AcquireReply acquired(Acknowledged done) {
        AcquireReply reply = Replies.acquire(done.reply());
        if (reply instanceof AcquireReply.Granted) {
            checkEnough(done.replicas());
        }
        return reply;
    }

    /** The request waits: the holder, as it were, is the quarantine. */
    private AcquireReply inQuarantine(@Nullable Object reply, Quarantine.Status status) {
        checkEnough(status.replicas());
        return new AcquireReply.Busy(
                Optional.empty(),
                OptionalLong.of(status.remainingMillis()),
                OptionalLong.of(Replies.number(Replies.list(reply).get(2))),
                AcquireReply.HolderKind.KEYHOLD,
                Optional.of("Redis at " + driver.address()
                        + " was promoted or restarted, or has lost its data, and grants nothing for another "
                        + Formats.duration(Duration.ofMillis(status.remainingMillis()))));
    }

    /** Renews. A hold whose renewal too few replicas have may be lost in a failover: it counts as not renewed, and is tried again. */
    CompletionStage<List<HoldReply>> renew(ScriptCall call, CallOptions options) {
        return run(call, options).thenApply(done -> {
            boolean enough = done.replicas() >= durability.replicas();
            return Replies.holds(done.reply()).stream()
                    .map(reply -> enough || reply instanceof HoldReply.NotHeld
                            ? reply
                            : new HoldReply.Unknown(tooFew(done.replicas())))
                    .toList();
        });
    }

    /** Releases with a rest, which other clients rely on like on a hold. */
    CompletionStage<@Nullable Object> rest(ScriptCall call, CallOptions options) {
        return run(call, options).thenApply(done -> {
            if (Replies.hold(done.reply()) instanceof HoldReply.Done) {
                checkEnough(done.replicas());
            }
            return done.reply();
        });
    }

    private CompletionStage<Acknowledged> run(ScriptCall call, CallOptions options) {
        return run(List.of(call), call.script().durable(), options).thenApply(done -> done.get(0));
    }

    private CompletionStage<List<Acknowledged>> arm(List<ScriptCall> calls) {
        return run(calls, Script.ARM.text(), CallOptions.of(CallMode.ASYNCHRONOUS));
    }

    /** Runs calls of one script, and one {@code WAIT} for all of them. */
    private CompletionStage<List<Acknowledged>> run(List<ScriptCall> calls, Script.Text variant, CallOptions options) {
        return driver.withSession(
                        options, session -> ScriptCall.runBefore(wait, calls, variant, session, options.sending()))
                .thenApply(replies -> {
                    long replicas = Replies.number(replies.get(calls.size()));
                    return replies.stream()
                            .limit(calls.size())
                            .map(reply -> new Acknowledged(reply, replicas))
                            .toList();
                })
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(ofWait(Stages.unwrapped(failure))));
    }

    /**
     * An error of {@code WAIT} says nothing of the script before it, which was executed. A script's own errors do not name that command; hosts
     * to which they redirect, and keys, may have any name.
     */
    private Throwable ofWait(Throwable failure) {
        if (!(failure instanceof RedisErrorException error)) {
            return failure;
        }
        String words = String.valueOf(error.getMessage());
        boolean unblocked = error.code().equals("UNBLOCKED"); // The master became a replica meanwhile.
        boolean named = CODES_OF_WAIT.contains(error.code())
                && WAIT_COMMAND.matcher(words).find();
        if (!unblocked && !named) {
            return failure;
        }
        boolean forbidden = error.code().equals("NOPERM");
        return new UnacknowledgedException(
                "Redis at " + driver.address() + " says: " + words
                        + (forbidden ? " (durability by replicas needs WAIT; see docs/keys.md)" : ""),
                unblocked ? NO_REPLICAS : error.code(),
                !forbidden);
    }

    private void checkEnough(long replicas) {
        if (replicas < durability.replicas()) {
            throw new UnacknowledgedException(tooFew(replicas), NO_REPLICAS, true);
        }
    }

    private String tooFew(long replicas) {
        return replicas + " of " + durability.replicas() + " replicas of Redis at " + driver.address()
                + " acknowledged it within " + Formats.duration(durability.acknowledgeTimeout())
                + " (NOREPLICAS: repair or add replicas, or use fewer in Durability.replicas; see docs/durability.md)";
    }
}
