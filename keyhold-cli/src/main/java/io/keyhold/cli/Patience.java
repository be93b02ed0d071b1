package io.keyhold.cli;

import io.keyhold.Keyhold;
import java.util.concurrent.CompletableFuture;

/** While a lock is waited for: when nobody wants it any more, the request is withdrawn. */
final class Patience {

    private final CompletableFuture<Void> withdrawal;
    private volatile boolean over;

    private Patience(Front front, Keyhold keyhold) {
        withdrawal = front.told().thenAccept(word -> {
            if (word == Front.Word.GONE && !over) {
                keyhold.close();
            }
        });
    }

    /** When a signal ends this process, so does what it waits for, and what it has got and not yet handed off. */
    static void endWithProcess(Keyhold keyhold) {
        Runtime.getRuntime().addShutdownHook(new Thread(keyhold::close, "keyhold-patience"));
    }

    /** When the launcher is gone, nobody wants it any more. */
    static Patience endWith(Front front, Keyhold keyhold) {
        return new Patience(front, keyhold);
    }

    /** The lock is there. */
    void isOver() {
        over = true;
    }

    /** Waits until everything is withdrawn: the end of the process would come before. */
    void awaitWithdrawal() {
        withdrawal.join();
    }
}
