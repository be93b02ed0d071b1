package io.keyhold.tests.stress;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.tests.Setup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * The program of a process that takes one lock when it is told to. Its lines are {@code pass NAME TIMES MILLIS} (a new
 * thread takes the lock so many times, holds it for so long each time, and tells of each hold) and {@code waiting COUNT}
 * (answers when so many of its threads wait). It ends with its input.
 */
final class LockProgram {

    private final String name;
    private final DistributedLock lock;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    private LockProgram(String name, DistributedLock lock) {
        this.name = name;
        this.lock = lock;
    }

    /** Setup, URI, name, key and terms. */
    public static void main(String[] arguments) throws Exception {
        Keyhold keyhold = Setup.valueOf(arguments[0])
                .client(arguments[1])
                .clientName(arguments[2])
                .build();
        DistributedLock lock =
                keyhold.lock(arguments[3], Terms.read(arguments[4]).options());
        // The first call connects; it is made here, so that it is not part of anybody's wait.
        lock.isLocked();
        LockProgram program = new LockProgram(arguments[2], lock);
        say("ready");
        program.obey();
        Runtime.getRuntime().halt(0);
    }

    private void obey() throws IOException, InterruptedException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("pass")) {
                pass(words[1], Integer.parseInt(words[2]), Long.parseLong(words[3]));
            } else if (words[0].equals("waiting")) {
                awaitWaiting(Integer.parseInt(words[1]));
            }
        }
    }

    private void pass(String threadName, int times, long holdMillis) {
        Thread thread = new Thread(
                () -> {
                    try {
                        for (int i = 0; i < times; i++) {
                            say("passed " + hold(holdMillis).written());
                        }
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                threadName);
        threads.add(thread);
        thread.start();
    }

    private Hold hold(long millis) throws InterruptedException {
        try (Lease lease = lock.acquire()) {
            long granted = System.nanoTime();
            if (millis > 0) {
                TimeUnit.MILLISECONDS.sleep(millis);
            }
            return new Hold(name, Thread.currentThread().getName(), lease.fencingToken(), granted, System.nanoTime());
        }
    }

    /** A thread that sleeps while the lock is another's can only be in its wait: it has nothing else to do then. */
    private void awaitWaiting(int count) throws InterruptedException {
        while (threads.stream().filter(LockProgram::sleeps).count() != count) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        say("waiting");
    }

    private static boolean sleeps(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @SuppressWarnings("SystemOut")
    private static synchronized void say(String line) {
        System.out.println(line);
    }
}
