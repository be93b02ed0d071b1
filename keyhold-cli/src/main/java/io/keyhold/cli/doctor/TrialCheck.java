package io.keyhold.cli.doctor;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;

/** Takes a lock and gives it back: whatever else a server has against it shows up here, in its own words. */
final class TrialCheck implements Check {

    private static final LockOptions OPTIONS =
            LockOptions.builder().lease(Duration.ofSeconds(5)).build();

    private final Keyhold keyhold;
    private final String key;

    /** On this key, which is locked for a moment if it is free. */
    TrialCheck(Keyhold keyhold, String key) {
        this.keyhold = keyhold;
        this.key = key;
    }

    @Override
    public String name() {
        return "trial";
    }

    @Override
    public Finding examine() {
        long before = System.nanoTime();
        try (Lease lease = keyhold.lock(key, OPTIONS).tryAcquire().orElse(null)) {
            if (lease == null) {
                return Finding.unchecked(
                        this, "somebody holds " + key, "Name a free key with --key, or look again later.");
            }
            boolean extended = lease.extend(Duration.ofSeconds(6));
            if (!extended || !lease.release()) {
                return Finding.fail(
                        this,
                        key + " was taken, and lost at once",
                        "Something deletes or changes locks that are held.",
                        "Find out who else writes to this server: MONITOR shows it.");
            }
        } catch (StoreUnavailableException | StoreRefusedException e) {
            return refused(e);
        }
        long millis = (System.nanoTime() - before) / 1_000_000;
        return Finding.ok(this, "took, extended and released a lock, in " + millis + " ms");
    }

    private Finding refused(KeyholdException failure) {
        String words = Optional.ofNullable(failure.getMessage()).orElse(failure.toString());
        if (failure instanceof StoreRefusedException refusal && refusal.code().equals("NOPERM")) {
            return Finding.warn(
                    this,
                    words,
                    "This user may not lock the key " + key + ", which need not mean that it may not lock others.",
                    "Name a key that it may lock with --key; docs/keys.md says what an ACL has to allow.");
        }
        return Finding.fail(this, words, "Locks cannot be taken.", "The server's own words say why.");
    }
}
