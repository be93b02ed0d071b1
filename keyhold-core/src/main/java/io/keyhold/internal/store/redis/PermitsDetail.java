package io.keyhold.internal.store.redis;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a semaphore's state has of a holder. As text it is {@code permits fencingToken sinceMicros}.
 *
 * @param permits how many it holds
 * @param fencingToken of its grant
 * @param sinceMicros the moment of its grant
 */
record PermitsDetail(int permits, long fencingToken, long sinceMicros) {

    private static final int PARTS = 3;

    /** Empty if there is none, or if somebody wrote something else there. */
    static Optional<PermitsDetail> read(@Nullable Object reply) {
        String[] parts = Replies.optionalText(reply).orElse("").split(" ", -1);
        try {
            return parts.length >= PARTS
                    ? Optional.of(new PermitsDetail(
                            Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** How many permits come back when such a holder goes; none if nothing is known of it. */
    static int permitsIn(@Nullable Object reply) {
        return read(reply).map(PermitsDetail::permits).orElse(0);
    }

    String text() {
        return permits + " " + fencingToken + " " + sinceMicros;
    }
}
