package io.keyhold.internal.store.redis;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.Snapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the replies of the scripts, each in the form that its file documents. */
final class Replies {

    /** The parts of a holder of permits: token, end, detail. The detail has as many: permits, fencing token, beginning. */
    private static final int PARTS = 3;

    private Replies() {}

    static AcquireReply acquire(@Nullable Object reply) {
        if (reply instanceof String fencingToken) {
            return new AcquireReply.Granted(Long.parseLong(fencingToken));
        }
        if (reply instanceof Long limit) {
            return new AcquireReply.OtherLimit(Math.toIntExact(limit));
        }
        List<?> parts = list(reply);
        Optional<String> holder = optionalText(parts.get(0));
        if (parts.size() == 1) {
            return new AcquireReply.Busy(
                    holder, OptionalLong.empty(), OptionalLong.empty(), AcquireReply.HolderKind.KEYHOLD);
        }
        return new AcquireReply.Busy(
                holder,
                remaining(number(parts.get(1))),
                OptionalLong.of(number(parts.get(2))),
                number(parts.get(3)) == 1 ? AcquireReply.HolderKind.KEYHOLD : AcquireReply.HolderKind.FOREIGN);
    }

    static HoldReply hold(@Nullable Object reply) {
        if (reply instanceof Long) {
            return HoldReply.DONE;
        }
        if (reply instanceof String grant) {
            return new HoldReply.Done(List.of(grant(grant)));
        }
        List<?> parts = list(reply);
        if (number(parts.get(0)) == 1) {
            return HoldReply.DONE;
        }
        if (number(parts.get(0)) == 2) {
            return new HoldReply.Done(
                    parts.stream().skip(1).map(grant -> grant(text(grant))).toList());
        }
        return new HoldReply.NotHeld(parts.size() < 2 ? Optional.empty() : optionalText(parts.get(1)));
    }

    /** Reads a grant: {@code entry number micros}. */
    static GrantNotice grant(String text) {
        String[] parts = text.split(" ", -1);
        return new GrantNotice(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }

    /** Returns whether this value of a lock is of this token. */
    static HoldReply holding(@Nullable Object value, String token) {
        Optional<String> holder = optionalText(value);
        return holder.filter(text -> LockValue.isOf(text, token)).isPresent()
                ? HoldReply.DONE
                : new HoldReply.NotHeld(holder.map(LockValue::tokenIn));
    }

    /** Returns the server's error, if a release freed something but could not hand it over to the waiters. */
    static Optional<String> forbiddenHandOver(@Nullable Object reply) {
        return reply instanceof List<?> parts
                        && parts.size() == 2
                        && Long.valueOf(1).equals(parts.get(0))
                ? optionalText(parts.get(1))
                : Optional.empty();
    }

    static List<HoldReply> holds(@Nullable Object reply) {
        return list(reply).stream().map(Replies::hold).toList();
    }

    /** Returns the semaphore or read/write lock that {@code look_permits.lua} has found; empty if there is none. */
    static Optional<LockSnapshot> permits(String key, @Nullable Object reply) {
        if (reply == null) {
            return Optional.empty();
        }
        List<?> parts = list(reply);
        int limit = Math.toIntExact(number(parts.get(0)));
        long now = number(parts.get(2));
        return Optional.of(Snapshots.ofPermits(
                key,
                limit,
                number(parts.get(1)),
                holders(Snapshots.kind(limit), list(parts.get(4)), now),
                number(parts.get(3)),
                places(parts.get(5)),
                number(parts.get(6))));
    }

    private static List<LockHolder> holders(LockKind kind, List<?> texts, long now) {
        List<LockHolder> holders = new ArrayList<>();
        for (int i = 0; i + PARTS <= texts.size(); i += PARTS) {
            String token = text(texts.get(i));
            String end = text(texts.get(i + 1));
            String[] detail = text(texts.get(i + 2)).split(" ", -1);
            // A hold that the state does not know is of any number of permits.
            boolean known = detail.length >= PARTS;
            holders.add(Snapshots.holder(
                    kind,
                    token,
                    known ? Integer.parseInt(detail[0]) : 0,
                    end.equals("inf") ? OptionalLong.empty() : OptionalLong.of((Long.parseLong(end) - now) / 1000),
                    known
                            ? Optional.of(new LockValue(token, Long.parseLong(detail[1]), Long.parseLong(detail[2])))
                            : Optional.empty()));
        }
        return holders;
    }

    /** Reads PTTL in milliseconds; negative means that the key has no expiry, or is not there. */
    static OptionalLong remaining(long pttl) {
        return pttl < 0 ? OptionalLong.empty() : OptionalLong.of(pttl);
    }

    /** Returns the entries of a queue, without anything foreign in it. */
    static List<QueuePlace> places(@Nullable Object reply) {
        return list(reply).stream()
                .flatMap(text -> QueuePlace.read(text(text)).stream())
                .toList();
    }

    static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list;
        }
        throw new IllegalStateException("expected a list from Redis, but got " + reply);
    }

    /** Reads the reply of TIME, in microseconds. */
    static long micros(@Nullable Object reply) {
        List<?> parts = list(reply);
        return Long.parseLong(text(parts.get(0))) * 1_000_000 + Long.parseLong(text(parts.get(1)));
    }

    static long number(@Nullable Object reply) {
        if (reply instanceof Long number) {
            return number;
        }
        throw new IllegalStateException("expected a number from Redis, but got " + reply);
    }

    static String text(@Nullable Object reply) {
        if (reply instanceof String text) {
            return text;
        }
        throw new IllegalStateException("expected text from Redis, but got " + reply);
    }

    static Optional<String> optionalText(@Nullable Object reply) {
        return reply == null ? Optional.empty() : Optional.of(text(reply));
    }
}
