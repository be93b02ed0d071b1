package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;

/**
 * The grant channel of a client with durable grants. What a release has handed over to a waiter may be lost in a failover until replicas have
 * acknowledged it, and it is the waiter that has to know: so a grant message only makes it ask. Its token holds the lock already, so that the
 * reply is a grant, with a write that the {@code WAIT} behind it covers. A {@code WAIT} alone would cover nothing: it is about what its own
 * connection has written.
 */
final class AskingListener implements GrantSubscription.Listener {

    private final GrantSubscription.Listener listener;

    AskingListener(GrantSubscription.Listener listener) {
        this.listener = listener;
    }

    @Override
    public void granted(GrantNotice notice) {
        listener.freed(notice.number());
    }

    @Override
    public void freed(long number) {
        listener.freed(number);
    }

    @Override
    public void probed() {
        listener.probed();
    }

    @Override
    public void ended(Throwable reason) {
        listener.ended(reason);
    }
}
