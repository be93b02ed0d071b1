package io.keyhold.testkit;

/** What a proxy does to its connections: a rule for each direction, and traps for single requests. */
record Traffic(TrafficRule requests, TrafficRule replies, ReplyTraps traps) {
    Traffic() {
        this(new TrafficRule(), new TrafficRule(), new ReplyTraps());
    }

    void pass() {
        traps.disarm();
        requests.pass();
        replies.pass();
    }
}
