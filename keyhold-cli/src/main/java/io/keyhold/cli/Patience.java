package io.keyhold.cli;

import io.keyhold.Keyhold;

/** While a lock is waited for: when nobody wants it any more, the request is withdrawn. */
final class Patience {

    private static final long PAUSE_MILLIS = 100;

    private final Front front;
    private final Keyhold keyhold;
    private final Thread watch = new Thread(this::watch, "keyhold-patience");
    private volatile boolean over;

    private Patience(Front front, Keyhold keyhold) {
        this.front = front;
        this.keyhold = keyhold;
    }

    /** When a signal ends this process, so does what it waits for, and what it has got and not yet handed off. */
    static void endWithProcess(Keyhold keyhold) {
        Runtime.getRuntime().addShutdownHook(new Thread(keyhold::close, "keyhold-patience"));
    }

    /** When the launcher is gone, nobody wants it any more. */
    static Patience endWith(Front front, Keyhold keyhold) {
        Patience patience = new Patience(front, keyhold);
        patience.watch.setDaemon(true);
        patience.watch.start();
        return patience;
    }

    /** The lock is there. */
    void isOver() {
        over = true;
    }

    /** Waits until everything is withdrawn: the end of the process would come before. */
    void awaitWithdrawal() throws InterruptedException {
        watch.join();
    }

    private void watch() {
        try {
            while (!over) {
                if (!front.isAlive()) {
                    keyhold.close();
                    return;
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
