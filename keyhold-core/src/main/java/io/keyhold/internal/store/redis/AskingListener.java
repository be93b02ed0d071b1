package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.ForwardingListener;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;

/**
 * The grant channel of a client with durable grants. What a release has handed over to a waiter may be lost in a failover until replicas have
 * acknowledged it, and it is the waiter that has to know: so a grant message only makes it ask. Its token holds the lock already, so that the
 * reply is a grant, with a write that the {@code WAIT} behind it covers. A {@code WAIT} alone would cover nothing: it is about what its own
 * connection has written.
 */
final class AskingListener extends ForwardingListener {

    AskingListener(GrantSubscription.Listener listener) {
        super(listener);
    }

    @Override
    public void granted(GrantNotice notice) {
        freed(notice.number());
    }
}
