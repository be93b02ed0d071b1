package io.keyhold.tests.contract.lock;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Virtual threads where the JVM has them (21 and later), platform threads elsewhere. Compiled for 17, hence by reflection. */
public final class TestThreads {

    private TestThreads() {}

    /** One thread for each task. */
    public static ExecutorService executor() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            return Executors.newCachedThreadPool();
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    static Thread start(Runnable task) {
        try {
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (NoSuchMethodException e) {
            return startOnPlatform(task);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    static Thread startOnPlatform(Runnable task) {
        Thread thread = new Thread(task, "keyhold-test");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
