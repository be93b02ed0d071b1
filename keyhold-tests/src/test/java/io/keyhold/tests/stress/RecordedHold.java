package io.keyhold.tests.stress;

/**
 * One hold in another process, as it was recorded there.
 *
 * @param jvm which process
 * @param name which thread of it
 * @param grantedNanos that process's {@link System#nanoTime} right after the lock was there
 * @param releasingNanos the same right before it was released
 */
record RecordedHold(String jvm, String name, long fence, long grantedNanos, long releasingNanos) {

    /** Parses a line of {@link HolderProgram}: a word, and then the form of {@link #written}. */
    static RecordedHold read(String line) {
        String[] parts = line.split(" ", -1);
        return new RecordedHold(
                parts[1], parts[2], Long.parseLong(parts[3]), Long.parseLong(parts[4]), Long.parseLong(parts[5]));
    }

    String written() {
        return jvm + " " + name + " " + fence + " " + grantedNanos + " " + releasingNanos;
    }
}
