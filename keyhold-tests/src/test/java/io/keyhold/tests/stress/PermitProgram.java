package io.keyhold.tests.stress;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreOptions;
import io.keyhold.tests.Setup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The program of a process that takes permits of one semaphore when it is told to. Its lines are {@code take NAME PERMITS} (a
 * new thread takes them, tells of it and keeps them), {@code give NAME} (they are released) and {@code pass NAME PERMITS
 * TIMES} (a new thread takes them so many times, releases them at once, and tells of each time). It ends with its input.
 */
final class PermitProgram {

    private final String name;
    private final DistributedSemaphore semaphore;
    private final Map<String, Lease> kept = new ConcurrentHashMap<>();

    private PermitProgram(String name, DistributedSemaphore semaphore) {
        this.name = name;
        this.semaphore = semaphore;
    }

    /** Setup, URI, name, key, number of permits, lease in milliseconds. */
    public static void main(String[] arguments) throws Exception {
        Keyhold keyhold = Setup.valueOf(arguments[0])
                .client(arguments[1])
                .clientName(arguments[2])
                .build();
        DistributedSemaphore semaphore = keyhold.semaphore(
                arguments[3],
                SemaphoreOptions.builder()
                        .permits(Integer.parseInt(arguments[4]))
                        .lease(Duration.ofMillis(Long.parseLong(arguments[5])))
                        .renew(true)
                        .build());
        // The first call connects; it is made here, so that it is not part of anybody's wait.
        semaphore.availablePermits();
        PermitProgram program = new PermitProgram(arguments[2], semaphore);
        say("ready");
        program.obey();
        Runtime.getRuntime().halt(0);
    }

    private void obey() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "take" -> inThread(words[1], () -> take(Integer.parseInt(words[2])));
                case "give" -> inThread(words[1], this::give);
                case "pass" -> inThread(words[1], () -> pass(Integer.parseInt(words[2]), Integer.parseInt(words[3])));
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    private interface Task {
        void run() throws InterruptedException;
    }

    private static void inThread(String threadName, Task task) {
        Runnable run = () -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        new Thread(run, threadName).start();
    }

    private void take(int permits) throws InterruptedException {
        Lease lease = semaphore.acquire(permits);
        kept.put(thread(), lease);
        say("took " + hold(lease));
    }

    private void give() {
        Lease lease = kept.remove(thread());
        if (lease == null) {
            throw new IllegalArgumentException(thread() + " holds nothing");
        }
        say("gave " + thread() + " " + lease.release());
    }

    private void pass(int permits, int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            try (Lease lease = semaphore.acquire(permits)) {
                say("passed " + hold(lease));
            }
        }
    }

    private String hold(Lease lease) {
        return new Hold(name, thread(), lease.fencingToken(), System.nanoTime(), System.nanoTime()).written();
    }

    private static String thread() {
        return Thread.currentThread().getName();
    }

    @SuppressWarnings("SystemOut")
    private static synchronized void say(String line) {
        System.out.println(line);
    }
}
