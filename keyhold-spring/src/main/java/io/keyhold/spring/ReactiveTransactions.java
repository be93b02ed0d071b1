package io.keyhold.spring;

import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/** Holds and the reactive transaction in which a method was subscribed to. Only for applications that have Reactor. */
final class ReactiveTransactions {

    private ReactiveTransactions() {}

    /** The hold of this transaction under which a call may go on, with one more user. Empty if there is none. */
    static Mono<Hold> covering(Acquirer.Need need) {
        return TransactionHolds.PRESENT ? Present.covering(need) : Mono.empty();
    }

    /** Keeps the hold until the transaction has completed, if there is one. */
    static Mono<Void> keepUntilCompletion(Hold hold) {
        return TransactionHolds.PRESENT ? Present.keepUntilCompletion(hold) : Mono.empty();
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

        private static Mono<Hold> covering(Acquirer.Need need) {
            return transaction()
                    .flatMap(manager -> Mono.justOrEmpty(manager.getSynchronizations().stream()
                            .filter(Kept.class::isInstance)
                            .map(kept -> ((Kept) kept).hold())
                            .filter(hold ->
                                    hold.covers(need.client(), need.spec().kind(), need.keys()) && hold.retain())
                            .findFirst()));
        }

        private static Mono<Void> keepUntilCompletion(Hold hold) {
            return transaction()
                    .doOnNext(manager -> {
                        Kept kept = new Kept(hold);
                        if (!manager.getSynchronizations().contains(kept) && hold.retain()) {
                            manager.registerSynchronization(kept);
                        }
                    })
                    .then();
        }
    }
}
