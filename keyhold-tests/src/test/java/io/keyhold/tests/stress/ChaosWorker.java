package io.keyhold.tests.stress;

import io.keyhold.Keyhold;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.tests.Setup;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The program of one worker process: its threads act until the line {@code stop} comes, and then end in order. */
final class ChaosWorker {

    /** Its arguments, in this order. */
    record Orders(ChaosKind kind, Setup setup, String proxyUri, String host, int port, String name, long seed) {

        static Orders read(String[] arguments) {
            return new Orders(
                    ChaosKind.valueOf(arguments[0]),
                    Setup.valueOf(arguments[1]),
                    arguments[2],
                    arguments[3],
                    Integer.parseInt(arguments[4]),
                    arguments[5],
                    Long.parseLong(arguments[6]));
        }

        String[] written() {
            return new String[] {
                kind.name(), setup.name(), proxyUri, host, Integer.toString(port), name, Long.toString(seed)
            };
        }
    }

    /** More often than the monitor samples. */
    private static final long PULSE_EVERY_MILLIS = 20;

    private final Orders orders;
    private final AtomicBoolean stopping = new AtomicBoolean();

    private ChaosWorker(Orders orders) {
        this.orders = orders;
    }

    public static void main(String[] arguments) throws Exception {
        new ChaosWorker(Orders.read(arguments)).run();
    }

    @SuppressWarnings("SystemOut")
    private void run() throws Exception {
        try (Interrupter interrupter = new Interrupter()) {
            Keyhold keyhold = orders.kind()
                    .client(orders.setup(), orders.proxyUri())
                    .clientName(orders.name())
                    .build();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < ChaosSettings.THREADS_PER_WORKER; i++) {
                int number = i;
                threads.add(new Thread(() -> act(keyhold, interrupter, number), "chaos-" + i));
            }
            warmUp(keyhold);
            threads.forEach(Thread::start);
            Thread heart = new Thread(this::beat, "heart");
            heart.setDaemon(true);
            heart.start();
            Thread ears = new Thread(this::listen, "ears");
            ears.setDaemon(true);
            ears.start();
            System.out.println("ready");
            for (Thread thread : threads) {
                thread.join();
            }
            keyhold.close();
        }
    }

    /** Loads classes and connects, so that the first wait of a thread does not include the start. */
    private void warmUp(Keyhold keyhold) {
        LockOptions options =
                LockOptions.builder().lease(ChaosSettings.LONGEST_LEASE).build();
        try {
            keyhold.lock("warm-up:" + orders.name(), options)
                    .acquireAsync()
                    .join()
                    .release();
        } catch (CompletionException | StoreUnavailableException | StoreRefusedException cut) {
            // Faults have begun already; the classes are loaded nevertheless.
        }
    }

    /** Shows the monitor that this process runs: the waiters of a stalled process do not count. */
    private void beat() {
        try (GuardedCounter counter = new GuardedCounter(orders.host(), orders.port())) {
            while (true) {
                counter.pulse(orders.name());
                TimeUnit.MILLISECONDS.sleep(PULSE_EVERY_MILLIS);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void act(Keyhold keyhold, Interrupter interrupter, int number) {
        String who = orders.name() + "/" + number;
        try (GuardedCounter counter = new GuardedCounter(orders.host(), orders.port())) {
            Random random = new Random(orders.seed() + number);
            ChaosWorkload workload =
                    orders.kind().workload(new ChaosWorkload.WorkerContext(keyhold, counter, random, who));
            ChaosActions actions = new ChaosActions(workload, counter, interrupter, random, who);
            while (!stopping.get()) {
                try {
                    actions.next();
                    workload.inspect();
                } catch (StoreUnavailableException | StoreRefusedException cut) {
                    counter.count("unavailable");
                    pause(random); // A server that is down may refuse at once.
                } catch (LeaseLostException lost) {
                    counter.count("lost");
                } catch (RuntimeException | InterruptedException e) {
                    e.printStackTrace();
                    counter.violation(who + " did not expect " + e);
                }
            }
        }
    }

    private static void pause(Random random) {
        try {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(10));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@code stop} ends the work, {@code dump} prints the stacks of the threads, and the end of input ends the process. */
    private void listen() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.equals("stop")) {
                    stopping.set(true);
                } else if (line.equals("dump")) {
                    dump();
                }
            }
        } catch (java.io.IOException e) {
            // As the end of input.
        }
        Runtime.getRuntime().halt(3);
    }

    @SuppressWarnings("SystemOut")
    private static void dump() {
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith("chaos-")) {
                System.err.println(
                        thread.getName() + ": " + Arrays.stream(stack).limit(12).toList());
            }
        });
    }
}
