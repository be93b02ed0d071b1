package io.keyhold.cli;

import io.keyhold.Keyhold;

/** While a lock is waited for: when nobody wants it any more, the request is withdrawn. */
final class Patience {

    private static final long PAUSE_MILLIS = 100;

    private static volatile boolean over;

    private Patience() {}

    /** When a signal ends this process, so does what it waits for, and what it has got and not yet handed off. */
    static void endWithProcess(Keyhold keyhold) {
        Runtime.getRuntime().addShutdownHook(new Thread(keyhold::close, "keyhold-patience"));
    }

    /** When the launcher is gone, nobody wants it any more. */
    static void endWith(Front front, Keyhold keyhold) {
        Thread watch = new Thread(() -> watch(front, keyhold), "keyhold-patience");
        watch.setDaemon(true);
        watch.start();
    }

    /** The lock is there. */
    static void isOver() {
        over = true;
    }

    private static void watch(Front front, Keyhold keyhold) {
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
