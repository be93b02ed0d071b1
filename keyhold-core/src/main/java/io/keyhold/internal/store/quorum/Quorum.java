package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdException;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.WrongKindException;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.VotingNode;
import java.util.List;

/** The nodes of a quorum with their settings, and how many of them are a majority. */
record Quorum(List<VotingNode> nodes, QuorumSettings settings) {

    int size() {
        return nodes.size();
    }

    /** More than half, so that any two majorities share a node. */
    int majority() {
        return nodes.size() / 2 + 1;
    }

    boolean isMajority(int count) {
        return count >= majority();
    }

    /**
     * Returns the exception of a quorum without a majority, with the failures of its nodes. If so many nodes refused for good that the
     * rest is no majority, waiting does not help, and the exception says so by its type.
     */
    KeyholdException failure(String message, boolean outcomeUnknown, List<Throwable> failures) {
        KeyholdException exception = typed(message, outcomeUnknown, failures);
        failures.forEach(exception::addSuppressed);
        return exception;
    }

    private KeyholdException typed(String message, boolean outcomeUnknown, List<Throwable> failures) {
        List<WrongKindException> wrong = only(WrongKindException.class, failures);
        if (prevent(wrong.size())) {
            return new WrongKindException(message, wrong.get(0).found(), null);
        }
        List<StoreRefusedException> refused = only(StoreRefusedException.class, failures).stream()
                .filter(refusal -> !StoreFailure.isPassing(refusal))
                .toList();
        return !refused.isEmpty() && prevent(wrong.size() + refused.size())
                ? new StoreRefusedException(message, refused.get(0).code(), null)
                : new StoreUnavailableException(message, outcomeUnknown, null);
    }

    private boolean prevent(int refusals) {
        return !isMajority(size() - refusals);
    }

    private static <T> List<T> only(Class<T> type, List<Throwable> failures) {
        return failures.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
