package io.keyhold.tests.stress;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.tests.Setup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * The program of a process that takes one lock, or permits of one semaphore, as the lines of its input say. It ends with its input.
 *
 * <ul>
 *   <li>{@code pass NAME TIMES MILLIS}: a new thread takes it this many times, holds it for this long, and prints each hold.
 *   <li>{@code take NAME PERMITS}: a new thread takes this many permits, prints the hold and keeps them.
 *   <li>{@code give NAME}: what that thread keeps is released.
 *   <li>{@code waiting COUNT}: replies when this many of its threads wait.
 * </ul>
 */
final class HolderProgram {

    private final String name;
    private final Source source;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Map<String, Lease> kept = new ConcurrentHashMap<>();

    private HolderProgram(String name, Source source) {
        this.name = name;
        this.source = source;
    }

    /** A source of leases; a lock has one permit. */
    private interface Source {
        Lease acquire(int permits) throws InterruptedException;
    }

    private interface Task {
        void run() throws InterruptedException;
    }

    /** Setup, URI, name, key and terms. */
    public static void main(String[] arguments) throws Exception {
        Keyhold keyhold = Setup.valueOf(arguments[0])
                .client(arguments[1])
                .clientName(arguments[2])
                .build();
        HolderProgram program =
                new HolderProgram(arguments[2], source(keyhold, arguments[3], HolderOptions.read(arguments[4])));
        say("ready");
        program.obey();
        Runtime.getRuntime().halt(0);
    }

    /** Makes the first call, which connects, so that it is not part of a wait. */
    private static Source source(Keyhold keyhold, String key, HolderOptions terms) {
        if (terms.permits() > 0) {
            DistributedSemaphore semaphore = keyhold.semaphore(key, terms.semaphoreOptions());
            semaphore.availablePermits();
            return semaphore::acquire;
        }
        DistributedLock lock = keyhold.lock(key, terms.options());
        lock.isLocked();
        return permits -> lock.acquire();
    }

    private void obey() throws IOException, InterruptedException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "pass" -> inThread(words[1], () -> pass(Integer.parseInt(words[2]), Long.parseLong(words[3])));
                case "take" -> inThread(words[1], () -> take(Integer.parseInt(words[2])));
                case "give" -> inThread(words[1], this::give);
                case "waiting" -> awaitWaiting(Integer.parseInt(words[1]));
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    private void inThread(String threadName, Task task) {
        Runnable run = () -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        Thread thread = new Thread(run, threadName);
        threads.add(thread);
        thread.start();
    }

    private void pass(int times, long millis) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            RecordedHold hold;
            try (Lease lease = source.acquire(1)) {
                long granted = System.nanoTime();
                if (millis > 0) {
                    TimeUnit.MILLISECONDS.sleep(millis);
                }
                hold = hold(lease, granted);
            }
            say("passed " + hold.written());
        }
    }

    private void take(int permits) throws InterruptedException {
        Lease lease = source.acquire(permits);
        kept.put(thread(), lease);
        say("took " + hold(lease, System.nanoTime()).written());
    }

    private void give() {
        Lease lease = kept.remove(thread());
        if (lease == null) {
            throw new IllegalArgumentException(thread() + " holds nothing");
        }
        say("gave " + thread() + " " + lease.release());
    }

    private RecordedHold hold(Lease lease, long granted) {
        return new RecordedHold(name, thread(), lease.fencingToken(), granted, System.nanoTime());
    }

    /** A thread that sleeps while another holds the lock can only be in its wait: it has nothing else to do then. */
    private void awaitWaiting(int count) throws InterruptedException {
        while (threads.stream().filter(HolderProgram::sleeps).count() != count) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        say("waiting");
    }

    private static boolean sleeps(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static String thread() {
        return Thread.currentThread().getName();
    }

    @SuppressWarnings("SystemOut")
    private static synchronized void say(String line) {
        System.out.println(line);
    }
}
