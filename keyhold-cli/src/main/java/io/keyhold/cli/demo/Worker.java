package io.keyhold.cli.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One of those who contend: takes the lock and the semaphore again and again, in two threads, and works a little inside. Does
 * what it is told on its standard input ({@code stay}, {@code finish}), and ends when that does: it never outlives whoever
 * started it.
 */
public final class Worker {

    private final String name;
    private final boolean cheats;
    private final Path folder;
    private final Chronicle chronicle;
    private final AtomicBoolean stays = new AtomicBoolean();
    private final CountDownLatch finish = new CountDownLatch(1);

    private Worker(String name, Path folder, boolean cheats) throws IOException {
        this.name = name;
        this.folder = folder;
        this.cheats = cheats;
        this.chronicle = new Chronicle(folder);
    }

    /** URI, name, folder, lease in milliseconds, and whether it is honest: if not, it goes in without asking. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        Worker worker = new Worker(arguments[1], Path.of(arguments[2]), !Boolean.parseBoolean(arguments[4]));
        worker.run(arguments[0], Duration.ofMillis(Long.parseLong(arguments[3])));
    }

    private void run(String uri, Duration lease) throws IOException, InterruptedException {
        Thread orders = new Thread(this::heed, "orders");
        orders.setDaemon(true);
        orders.start();
        try (Keyhold keyhold = Keyhold.builder().uri(uri).clientName(name).build()) {
            LockOptions lockOptions =
                    LockOptions.builder().lease(lease).renew(true).build();
            SemaphoreOptions semaphoreOptions = SemaphoreOptions.builder()
                    .permits(Prize.SEMAPHORE.places())
                    .lease(lease)
                    .renew(true)
                    .build();
            List<Thread> threads = List.of(
                    contender(
                            Prize.LOCK,
                            () -> keyhold.lock(Prize.LOCK.key(), lockOptions).acquire()),
                    contender(
                            Prize.SEMAPHORE,
                            () -> keyhold.semaphore(Prize.SEMAPHORE.key(), semaphoreOptions)
                                    .acquire()));
            chronicle.append(Event.Kind.READY, Prize.LOCK, name, 0);
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private void heed() {
        try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, US_ASCII))) {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                switch (order) {
                    case "stay" -> stays.set(true);
                    case "finish" -> finish.countDown();
                    default -> throw new IllegalArgumentException(order);
                }
            }
        } catch (IOException noMoreOrders) {
            System.err.println("no more orders: " + noMoreOrders);
        }
        if (finish.getCount() > 0) {
            Runtime.getRuntime().halt(1);
        }
    }

    private interface Asking {
        Lease acquire() throws InterruptedException;
    }

    private Thread contender(Prize prize, Asking asking) throws IOException {
        Witness witness = new Witness(folder, prize);
        Thread thread = new Thread(() -> contend(prize, witness, asking), prize.word());
        // A worker that does half of its work would seem well.
        thread.setUncaughtExceptionHandler((failed, cause) -> {
            cause.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        return thread;
    }

    private void contend(Prize prize, Witness witness, Asking asking) {
        try {
            do {
                if (cheats) {
                    inside(prize, witness, Optional.empty());
                } else {
                    ask(prize, witness, asking);
                }
            } while (!finish.await(random(10, 60), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void ask(Prize prize, Witness witness, Asking asking) throws InterruptedException {
        try (Lease lease = asking.acquire()) {
            inside(prize, witness, Optional.of(lease));
        } catch (StoreUnavailableException | StoreRefusedException e) {
            // What it may have taken all the same ends by itself.
            chronicle.append(Event.Kind.UNANSWERED, prize, name, 0);
        } catch (LeaseLostException e) {
            // Told already, unless the hold was over by then.
        }
    }

    private void inside(Prize prize, Witness witness, Optional<Lease> lease) throws InterruptedException {
        long fence = lease.map(Lease::fencingToken).orElse(0L);
        Optional<FileLock> place = witness.place();
        try {
            chronicle.append(place.isPresent() ? Event.Kind.ENTERED : Event.Kind.CLASHED, prize, name, fence);
            boolean stay = prize == Prize.LOCK && stays.get();
            if (stay) {
                chronicle.append(Event.Kind.STAYS, prize, name, fence);
            }
            boolean lost = isLostWithin(stay ? Long.MAX_VALUE : random(80, 220), lease);
            chronicle.append(lost ? Event.Kind.LOST : Event.Kind.LEAVES, prize, name, fence);
        } finally {
            place.ifPresent(Worker::leave);
        }
    }

    /** The work. Stops at once when the hold is lost. */
    private static boolean isLostWithin(long millis, Optional<Lease> lease) throws InterruptedException {
        if (lease.isEmpty()) {
            Thread.sleep(millis);
            return false;
        }
        try {
            lease.get().lost().toCompletableFuture().get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException worked) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void leave(FileLock place) {
        try {
            place.release();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long random(long from, long to) {
        return ThreadLocalRandom.current().nextLong(from, to);
    }
}
