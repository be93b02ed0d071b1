package io.keyhold.spring;

import java.util.List;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionContext;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Holds and the reactive transaction in which a method was subscribed to. Only for applications that have Reactor. */
final class ReactiveTransactions {

    private ReactiveTransactions() {}

    /** Whether this is the context of a subscription inside a transaction, or inside a method that may have one. */
    static boolean isInside(ContextView context) {
        return TransactionHolds.PRESENT && Present.isInside(context);
    }

    /** The holds that this transaction keeps. None if there is no transaction. */
    static Mono<List<Hold>> kept() {
        Mono<List<Hold>> kept = TransactionHolds.PRESENT ? Present.kept() : Mono.empty();
        return kept.defaultIfEmpty(List.of());
    }

    /** Keeps the holds until the transaction has completed, if there is one. */
    static Mono<Void> keepUntilCompletion(List<Hold> holds) {
        return TransactionHolds.PRESENT ? Present.keepUntilCompletion(holds) : Mono.empty();
    }

    /** A hold that its transaction keeps. */
    private record Kept(Hold hold) implements TransactionSynchronization {

        /** A lost lock rolls back. */
        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(hold::check);
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromCompletionStage(hold::dropAsync).then();
        }
    }

    /** Loaded only if the classes of {@code spring-tx} are there. */
    private static final class Present {

        private static Mono<TransactionSynchronizationManager> transaction() {
            return TransactionSynchronizationManager.forCurrentTransaction()
                    .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                    .filter(manager -> manager.isSynchronizationActive() && manager.isActualTransactionActive());
        }

        private static boolean isInside(ContextView context) {
            return context.hasKey(TransactionContext.class);
        }

        private static Mono<List<Hold>> kept() {
            return transaction()
                    .map(manager -> manager.getSynchronizations().stream()
                            .filter(Kept.class::isInstance)
                            .map(kept -> ((Kept) kept).hold())
                            .toList());
        }

        private static Mono<Void> keepUntilCompletion(List<Hold> holds) {
            return transaction()
                    .doOnNext(manager -> holds.stream()
                            .map(Kept::new)
                            .filter(kept -> !manager.getSynchronizations().contains(kept)
                                    && kept.hold().retain())
                            .forEach(manager::registerSynchronization))
                    .then();
        }
    }
}
