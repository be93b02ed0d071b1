package io.keyhold.doctor;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;

/** Acquires, extends and releases a lock, which shows any other obstacle in the server's own message. */
final class TrialCheck implements Check {

    private static final LockOptions OPTIONS =
            LockOptions.builder().lease(Duration.ofSeconds(5)).build();

    private final Keyhold keyhold;
    private final String key;

    /** Uses this key if it is free. */
    TrialCheck(Keyhold keyhold, String key) {
        this.keyhold = keyhold;
        this.key = key;
    }

    @Override
    public String name() {
        return "trial";
    }

    @Override
    public Finding run() {
        long before = System.nanoTime();
        try (Lease lease = keyhold.lock(key, OPTIONS).tryAcquire().orElse(null)) {
            if (lease == null) {
                return Finding.unchecked(
                        this, key + " is held by another client", "Use --key with a free key, or try again later.");
            }
            boolean extended = lease.extend(Duration.ofSeconds(6));
            if (!extended || !lease.release()) {
                return Finding.fail(
                        this,
                        key + " was acquired, and lost at once",
                        "Another client deletes or overwrites held locks.",
                        "Find the client that writes to this key: MONITOR shows it.");
            }
        } catch (StoreUnavailableException | StoreRefusedException e) {
            return refused(e);
        }
        long millis = (System.nanoTime() - before) / 1_000_000;
        return Finding.ok(this, "acquired, extended and released a lock in " + millis + " ms");
    }

    private Finding refused(KeyholdException failure) {
        String message = Optional.ofNullable(failure.getMessage()).orElse(failure.toString());
        if (failure instanceof StoreRefusedException refusal && refusal.code().equals("NOPERM")) {
            return Finding.warn(
                    this,
                    message,
                    "This user may not lock the key " + key + "; it may be allowed to lock others.",
                    "Use --key with a key that it may lock; docs/keys.md has the complete ACL.");
        }
        return Finding.fail(this, message, "No lock can be acquired.", "Remove the cause that the message names.");
    }
}
