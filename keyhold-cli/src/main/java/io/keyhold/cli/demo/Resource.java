package io.keyhold.cli.demo;

/** The lock or the semaphore for which the workers contend. */
enum Resource {
    /** A lock: one worker at a time. */
    LOCK("demo:lock", 1),
    /** A semaphore: two workers at a time. */
    SEMAPHORE("demo:semaphore", 2);

    private final String key;
    private final int limit;

    Resource(String key, int limit) {
        this.key = key;
        this.limit = limit;
    }

    String key() {
        return key;
    }

    /** Returns how many workers may be inside. */
    int limit() {
        return limit;
    }

    String label() {
        return this == LOCK ? "lock" : "semaphore";
    }
}
