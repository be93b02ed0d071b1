package io.keyhold.doctor;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.WrongKindException;
import java.time.Duration;
import java.util.Optional;

/** Acquires, extends and releases a lock, which shows any other obstacle in the server's own message. */
final class TrialCheck extends Check {

    /** Longer than a busy machine stands still. */
    private static final Duration LEASE = Duration.ofSeconds(20);

    private static final LockOptions OPTIONS =
            LockOptions.builder().lease(LEASE).build();

    private final Keyhold keyhold;
    private final String key;

    /** Uses this key if it is free. */
    TrialCheck(Keyhold keyhold, String key) {
        super("trial");
        this.keyhold = keyhold;
        this.key = key;
    }

    @Override
    Finding run() {
        long before = System.nanoTime();
        try (Lease lease = keyhold.lock(key, OPTIONS).tryAcquire().orElse(null)) {
            if (lease == null) {
                return unchecked(key + " is held by another client", "Use --key with a free key, or try again later.");
            }
            lease.extend(LEASE.plusSeconds(1));
            lease.release(); // close() throws if either of them found the lock lost.
        } catch (LeaseLostException lost) {
            return fail(
                    key + " was acquired, and lost at once: " + lost.loss().detail(),
                    "Another client deletes or overwrites held locks, or this machine or the server stood still.",
                    "Find the client that writes to this key: MONITOR shows it.");
        } catch (WrongKindException other) {
            return unchecked(String.valueOf(other.getMessage()), "Use --key with a free key.");
        } catch (StoreUnavailableException | StoreRefusedException e) {
            return refused(e);
        }
        long millis = (System.nanoTime() - before) / 1_000_000;
        return ok("acquired, extended and released a lock in " + millis + " ms");
    }

    private Finding refused(KeyholdException failure) {
        String message = Optional.ofNullable(failure.getMessage()).orElse(failure.toString());
        if (failure instanceof StoreRefusedException refusal && refusal.code().equals("NOPERM")) {
            return warn(
                    message,
                    "This user may not lock the key " + key + "; it may be allowed to lock others.",
                    "Use --key with a key that it may lock; docs/keys.md has the complete ACL.");
        }
        return fail(message, "No lock can be acquired.", "Remove the cause that the message names.");
    }
}
