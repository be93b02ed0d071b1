package io.keyhold.internal.engine;

/** What a request may have left at the store, and has to take back when it ends without a lease. */
final class Remains {

    /** Whether an answer said that it stands in the queue. */
    private boolean place;
    /** Whether some request had no answer: anything may be left at the store, or be on its way there. */
    private boolean unknown;

    void placeIs(boolean inQueue) {
        place = inQueue;
    }

    void isUnknown() {
        unknown = true;
    }

    /**
     * Everything so far, which somebody else looks after from now on.
     *
     * @param place whether a place in the queue is among it
     * @param unknown whether anything else may be
     */
    record All(boolean place, boolean unknown) {}

    All take() {
        All all = new All(place, unknown);
        place = false;
        unknown = false;
        return all;
    }
}
