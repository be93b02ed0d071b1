package io.keyhold.internal.lock;

import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LeaseTask;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Operations;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Work that is done while something is held. */
final class UnderLease {

    private UnderLease() {}

    /** How to get a lease. */
    interface Source {
        Lease acquire() throws InterruptedException;
    }

    private interface Work<T, X extends Exception> {
        T under(Lease lease) throws X;
    }

    static void run(Source source, Runnable work) throws InterruptedException {
        Preconditions.given(work, "work");
        run(source, lease -> work.run());
    }

    static void run(Source source, Consumer<Lease> work) throws InterruptedException {
        Preconditions.given(work, "work");
        UnderLease.<Lease, RuntimeException>holding(source, lease -> {
            work.accept(lease);
            return lease;
        });
    }

    static <T> T call(Source source, Callable<T> work) throws Exception {
        Preconditions.given(work, "work");
        return UnderLease.<T, Exception>holding(source, lease -> work.call());
    }

    static <T> T call(Source source, LeaseTask<T> work) throws Exception {
        Preconditions.given(work, "work");
        return UnderLease.<T, Exception>holding(source, work::call);
    }

    private static <T, X extends Exception> T holding(Source source, Work<T, X> work) throws X, InterruptedException {
        Lease lease = source.acquire();
        T result;
        try {
            result = work.under(lease);
        } catch (Throwable thrown) {
            Operations.endWork(lease).ifPresent(thrown::addSuppressed);
            throw thrown;
        }
        Optional<LeaseLostException> loss = Operations.endWork(lease);
        if (loss.isPresent()) {
            throw loss.get();
        }
        return result;
    }
}
