package io.keyhold.cli.demo;

/** What the workers contend for. */
enum Prize {
    /** A lock: one at a time. */
    LOCK("demo:lock", 1),
    /** A semaphore: two at a time. */
    SEMAPHORE("demo:semaphore", 2);

    private final String key;
    private final int places;

    Prize(String key, int places) {
        this.key = key;
        this.places = places;
    }

    String key() {
        return key;
    }

    /** How many may be inside. */
    int places() {
        return places;
    }

    String word() {
        return this == LOCK ? "lock" : "semaphore";
    }
}
