package io.keyhold.cli.demo;

/**
 * A line of the event log.
 *
 * @param millis the time, by this machine's clock
 * @param kind what happened
 * @param resource the lock or the semaphore
 * @param worker the worker
 * @param fence its fencing token; 0 if it has none
 */
record Event(long millis, Kind kind, Resource resource, String worker, long fence) {

    /** The kinds of events. */
    enum Kind {
        /** The worker has started. */
        READY,
        /** The worker is inside, and the checker had a free slot. */
        ENTERED,
        /** The worker is inside, and the checker had no free slot: too many workers are inside. */
        CLASHED,
        /** The worker stays inside until it is killed. */
        STAYS,
        /** The worker is about to leave. */
        LEAVES,
        /** The worker's lease was lost, and it leaves. */
        LOST,
        /** The server did not reply or refused, and the worker tries again. */
        FAILED,
        /** The worker was killed. Written by the demo after the kill. */
        KILLED
    }

    String line() {
        return millis + " " + kind + " " + resource + " " + worker + " " + fence;
    }

    static Event parse(String line) {
        String[] parts = line.split(" ", 5);
        return new Event(
                Long.parseLong(parts[0]),
                Kind.valueOf(parts[1]),
                Resource.valueOf(parts[2]),
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
