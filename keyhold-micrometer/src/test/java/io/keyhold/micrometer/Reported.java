package io.keyhold.micrometer;

import io.keyhold.KeyholdListener;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Passes the events of a client on, so that a test can wait until its listener has dealt with one. */
final class Reported implements KeyholdListener {

    private final KeyholdListener listener;
    private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

    Reported(KeyholdListener listener) {
        this.listener = listener;
    }

    @Override
    public void requested(Request request) {
        listener.requested(request);
    }

    @Override
    public void granted(Granted event) {
        listener.granted(event);
        events.add(event);
    }

    @Override
    public void notGranted(NotGranted event) {
        listener.notGranted(event);
        events.add(event);
    }

    @Override
    public void ended(Ended event) {
        listener.ended(event);
        events.add(event);
    }

    @Override
    public void renewed(Renewal event) {
        listener.renewed(event);
        events.add(event);
    }

    /** Returns the next event of this type, and forgets those before it. */
    <T> T await(Class<T> type) throws InterruptedException {
        while (true) {
            Object event = events.poll(1, TimeUnit.MINUTES);
            if (event == null) {
                throw new AssertionError("no " + type.getSimpleName() + " was reported");
            }
            if (type.isInstance(event)) {
                return type.cast(event);
            }
        }
    }
}
