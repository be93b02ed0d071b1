package io.keyhold.tests.stress;

/**
 * One hold in another process, as it was recorded there.
 *
 * @param jvm which process
 * @param name which thread of it
 * @param grantedNanos that process's {@link System#nanoTime} right after the lock was there
 * @param releasingNanos the same right before it was released
 */
record Hold(String jvm, String name, long fence, long grantedNanos, long releasingNanos) {

    /** From a line of {@link HolderProgram}: a word, and then what {@link #written} gives. */
    static Hold read(String line) {
        String[] parts = line.split(" ", -1);
        return new Hold(
                parts[1], parts[2], Long.parseLong(parts[3]), Long.parseLong(parts[4]), Long.parseLong(parts[5]));
    }

    String written() {
        return jvm + " " + name + " " + fence + " " + grantedNanos + " " + releasingNanos;
    }
}
