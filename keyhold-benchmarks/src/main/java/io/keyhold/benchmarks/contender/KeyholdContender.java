package io.keyhold.benchmarks.contender;

import io.keyhold.DistributedLock;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import org.jspecify.annotations.Nullable;

/** Keyhold, with its defaults but for the driver and the fairness. */
final class KeyholdContender implements Contender {
    private final Keyhold keyhold;
    private final LockOptions lockOptions;

    private KeyholdContender(Keyhold keyhold, LockOptions lockOptions) {
        this.keyhold = keyhold;
        this.lockOptions = lockOptions;
    }

    static Contender open(OpenOptions options, String driver, Fairness fairness) {
        LockOptions.Builder lockOptions = LockOptions.builder().fairness(fairness);
        options.renewedLease().ifPresent(lease -> lockOptions.lease(lease).renew(true));
        return new KeyholdContender(Keyhold.connect(options.uri() + "?driver=" + driver), lockOptions.build());
    }

    @Override
    public ContenderLock lock(String key) {
        return new OneThreads(keyhold.lock(key, lockOptions));
    }

    @Override
    public void close() {
        keyhold.close();
    }

    private static final class OneThreads implements ContenderLock {
        private final DistributedLock lock;
        private @Nullable Lease lease;

        OneThreads(DistributedLock lock) {
            this.lock = lock;
        }

        @Override
        public void acquire() throws InterruptedException {
            lease = lock.acquire();
        }

        @Override
        public void release() {
            Lease held = lease;
            if (held == null || !held.release()) {
                throw new IllegalStateException("the lock was lost: " + lock.key());
            }
        }
    }
}
