package io.keyhold.internal.engine;

import java.util.concurrent.Executor;

/** An executor that throws what a thread pool throws when the system has no thread to give, as often as a test says. */
final class AtThreadLimit implements Executor {

    int errorsLeft;

    @Override
    public void execute(Runnable task) {
        if (errorsLeft > 0) {
            errorsLeft--;
            throw new OutOfMemoryError("unable to create native thread");
        }
        task.run();
    }
}
