package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdException;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.WrongKindException;
import io.keyhold.internal.store.StoreFailure;
import java.util.List;

/**
 * Makes the exception of a quorum without a majority from the failures of its nodes. If so many nodes refused for good that the rest
 * is no majority, waiting does not help, and the exception says so by its type.
 */
final class QuorumFailures {

    private QuorumFailures() {}

    /** Returns the exception; the failures of the nodes are attached to it. */
    static KeyholdException of(Quorum quorum, String message, boolean outcomeUnknown, List<Throwable> failures) {
        KeyholdException exception = typed(quorum, message, outcomeUnknown, failures);
        failures.forEach(exception::addSuppressed);
        return exception;
    }

    private static KeyholdException typed(
            Quorum quorum, String message, boolean outcomeUnknown, List<Throwable> failures) {
        List<WrongKindException> wrong = only(WrongKindException.class, failures);
        if (prevent(quorum, wrong.size())) {
            return new WrongKindException(message, wrong.get(0).found(), null);
        }
        List<StoreRefusedException> refused = only(StoreRefusedException.class, failures).stream()
                .filter(refusal -> !StoreFailure.isPassing(refusal))
                .toList();
        return !refused.isEmpty() && prevent(quorum, wrong.size() + refused.size())
                ? new StoreRefusedException(message, refused.get(0).code(), null)
                : new StoreUnavailableException(message, outcomeUnknown, null);
    }

    private static boolean prevent(Quorum quorum, int refusals) {
        return !quorum.isMajority(quorum.size() - refusals);
    }

    private static <T> List<T> only(Class<T> type, List<Throwable> failures) {
        return failures.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
