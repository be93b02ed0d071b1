package io.keyhold.doctor;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What the doctor does.
 *
 * @param trialKey the key of the trial lock, which is acquired and released; empty for a run that only reads
 * @param deep whether to search for leftovers however many keys there are
 */
public record DoctorOptions(Optional<String> trialKey, boolean deep) {

    /** Checks the arguments. */
    public DoctorOptions {
        Objects.requireNonNull(trialKey, "trialKey must not be null");
    }

    /** Returns options for a run that only reads. */
    public static DoctorOptions readOnly() {
        return new DoctorOptions(Optional.empty(), false);
    }

    /** Returns a key for the trial lock that no other client uses. */
    public static String randomTrialKey() {
        return "keyhold-doctor:" + UUID.randomUUID();
    }
}
