package io.keyhold.spring;

import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Holds and transactions. Only for applications that have {@code spring-tx}. */
final class TransactionHolds {

    static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.ConfigurableTransactionManager", TransactionHolds.class.getClassLoader());

    private TransactionHolds() {}

    /** Whether this thread is in a transaction. */
    static boolean isActive() {
        return PRESENT && Present.isActive();
    }

    /** Keeps a hold, of which the caller has retained a use, until this thread's transaction has completed. */
    static void keepUntilCompletion(Hold hold) {
        Present.keepUntilCompletion(hold);
    }

    /**
     * Makes a transaction manager refuse to commit while this thread has a hold that was lost. This is asked last, after what other
     * synchronizations write before a commit.
     */
    static void guard(Object bean) {
        if (PRESENT) {
            Present.guard(bean);
        }
    }

    /** Loaded only if the classes of {@code spring-tx} are there. */
    private static final class Present {

        private static final TransactionExecutionListener GUARD = new TransactionExecutionListener() {
            @Override
            public void beforeCommit(TransactionExecution transaction) {
                ThreadHolds.newestFirst().forEach(Hold::check);
            }
        };

        private static boolean isActive() {
            return TransactionSynchronizationManager.isSynchronizationActive()
                    && TransactionSynchronizationManager.isActualTransactionActive();
        }

        private static void keepUntilCompletion(Hold hold) {
            ThreadHolds.Scope scope = ThreadHolds.enter(hold);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    scope.close();
                }
            });
        }

        private static void guard(Object bean) {
            if (bean instanceof ConfigurableTransactionManager manager
                    && !manager.getTransactionExecutionListeners().contains(GUARD)) {
                manager.addListener(GUARD);
            }
        }
    }
}
