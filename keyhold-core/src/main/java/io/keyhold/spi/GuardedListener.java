package io.keyhold.spi;

import java.lang.System.Logger.Level;

/** Calls a listener and logs what it throws, so that it cannot harm the thread that reads messages. For driver authors. */
public final class GuardedListener implements RedisListener {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final RedisListener listener;

    /** Guards the listener. */
    public GuardedListener(RedisListener listener) {
        this.listener = listener;
    }

    @Override
    public void onMessage(String text) {
        try {
            listener.onMessage(text);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "a subscription's listener failed; it will get the next message nevertheless", e);
        }
    }

    @Override
    public void onClosed(Throwable reason) {
        try {
            listener.onClosed(reason);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "a subscription's listener failed when the subscription ended", e);
        }
    }
}
