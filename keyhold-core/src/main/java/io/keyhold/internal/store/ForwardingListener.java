package io.keyhold.internal.store;

/** Passes every message on to another listener; subclasses change some. */
public abstract class ForwardingListener implements GrantSubscription.Listener {

    private final GrantSubscription.Listener listener;

    /** Passes messages on to this listener. */
    protected ForwardingListener(GrantSubscription.Listener listener) {
        this.listener = listener;
    }

    @Override
    public void granted(GrantNotice notice) {
        listener.granted(notice);
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
