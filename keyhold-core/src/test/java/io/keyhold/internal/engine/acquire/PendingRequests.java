package io.keyhold.internal.engine.acquire;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks into {@link Requests} for what a request that has ended must not leave behind. */
public final class PendingRequests {

    private PendingRequests() {}

    /** Asserts that no request waits, neither in a local queue nor for a grant. */
    public static void assertNone(Requests requests) {
        assertThat(requests.localQueues.queues).isEmpty();
        assertThat(requests.grants.channels.values()).noneMatch(GrantChannel::hasWaiters);
    }
}
