package io.keyhold.testkit;

/** Threads that do not keep a JVM alive. */
final class DaemonThread {
    private DaemonThread() {}

    static Thread named(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
