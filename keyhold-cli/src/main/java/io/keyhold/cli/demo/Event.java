package io.keyhold.cli.demo;

/**
 * One line of the record.
 *
 * @param millis when, by this machine's clock
 * @param kind what
 * @param prize of which of the two
 * @param worker who
 * @param fence with which fencing token; 0 if it has none
 */
record Event(long millis, Kind kind, Prize prize, String worker, long fence) {

    /** What may happen. */
    enum Kind {
        /** The worker runs. */
        READY,
        /** It is inside, and the witness had a place for it. */
        ENTERED,
        /** It is inside, and the witness says that there was no place: too many are inside. */
        CLASHED,
        /** It stays inside from now on, and waits for its end. */
        STAYS,
        /** It is about to go out. */
        LEAVES,
        /** It was told that its hold is lost, and goes out. */
        LOST,
        /** The server has not answered it, and it tries again. */
        UNANSWERED,
        /** It was killed. Written by whoever did it, when it was done. */
        KILLED
    }

    String line() {
        return millis + " " + kind + " " + prize + " " + worker + " " + fence;
    }

    static Event read(String line) {
        String[] parts = line.split(" ", 5);
        return new Event(
                Long.parseLong(parts[0]),
                Kind.valueOf(parts[1]),
                Prize.valueOf(parts[2]),
                parts[3],
                Long.parseLong(parts[4]));
    }

    boolean isEntry() {
        return kind == Kind.ENTERED || kind == Kind.CLASHED;
    }

    boolean isExit() {
        return kind == Kind.LEAVES || kind == Kind.LOST || kind == Kind.KILLED;
    }
}
