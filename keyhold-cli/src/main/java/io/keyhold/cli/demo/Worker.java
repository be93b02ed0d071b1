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
 * A contending process: repeatedly acquires the lock and the semaphore, in two threads, and works for a moment inside. Reads commands
 * from its standard input ({@code stay}, {@code finish}), and exits at its end, so it never outlives the demo.
 */
public final class Worker {

    private final String name;
    private final boolean cheats;
    private final Path folder;
    private final EventLog log;
    private final AtomicBoolean stays = new AtomicBoolean();
    private final CountDownLatch finish = new CountDownLatch(1);

    private Worker(String name, Path folder, boolean cheats) throws IOException {
        this.name = name;
        this.folder = folder;
        this.cheats = cheats;
        this.log = new EventLog(folder);
    }

    /** The arguments are URI, name, directory, lease in milliseconds, and whether it cheats: it then ignores the locks. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        Worker worker = new Worker(arguments[1], Path.of(arguments[2]), Boolean.parseBoolean(arguments[4]));
        worker.run(arguments[0], Duration.ofMillis(Long.parseLong(arguments[3])));
    }

    private void run(String uri, Duration lease) throws IOException, InterruptedException {
        Thread commands = new Thread(this::readCommands, "commands");
        commands.setDaemon(true);
        commands.start();
        try (Keyhold keyhold = Keyhold.builder().uri(uri).clientName(name).build()) {
            LockOptions lockOptions =
                    LockOptions.builder().lease(lease).renew(true).build();
            SemaphoreOptions semaphoreOptions = SemaphoreOptions.builder()
                    .permits(Resource.SEMAPHORE.limit())
                    .lease(lease)
                    .renew(true)
                    .build();
            List<Thread> threads = List.of(
                    contender(
                            Resource.LOCK,
                            () -> keyhold.lock(Resource.LOCK.key(), lockOptions).acquire()),
                    contender(
                            Resource.SEMAPHORE,
                            () -> keyhold.semaphore(Resource.SEMAPHORE.key(), semaphoreOptions)
                                    .acquire()));
            log.append(Event.Kind.READY, Resource.LOCK, name, 0);
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private void readCommands() {
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, US_ASCII))) {
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                switch (command) {
                    case "stay" -> stays.set(true);
                    case "finish" -> finish.countDown();
                    default -> throw new IllegalArgumentException(command);
                }
            }
        } catch (IOException e) {
            System.err.println("cannot read commands: " + e);
        }
        if (finish.getCount() > 0) {
            Runtime.getRuntime().halt(1);
        }
    }

    private interface Acquirer {
        Lease acquire() throws InterruptedException;
    }

    private Thread contender(Resource resource, Acquirer acquirer) throws IOException {
        OccupancyChecker checker = new OccupancyChecker(folder, resource);
        Thread thread = new Thread(() -> contend(resource, checker, acquirer), resource.label());
        // A worker must not continue with only one of its threads.
        thread.setUncaughtExceptionHandler((failed, cause) -> {
            cause.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        return thread;
    }

    private void contend(Resource resource, OccupancyChecker checker, Acquirer acquirer) {
        try {
            do {
                if (cheats) {
                    inside(resource, checker, Optional.empty());
                } else {
                    acquire(resource, checker, acquirer);
                }
            } while (!finish.await(random(10, 60), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void acquire(Resource resource, OccupancyChecker checker, Acquirer acquirer) throws InterruptedException {
        try (Lease lease = acquirer.acquire()) {
            inside(resource, checker, Optional.of(lease));
        } catch (StoreUnavailableException | StoreRefusedException e) {
            // If the lock was granted all the same, its lease ends by itself.
            log.append(Event.Kind.FAILED, resource, name, 0);
        } catch (LeaseLostException e) {
            // Logged already, unless the work had ended by then.
        }
    }

    private void inside(Resource resource, OccupancyChecker checker, Optional<Lease> lease)
            throws InterruptedException {
        long fence = lease.map(Lease::fencingToken).orElse(0L);
        Optional<FileLock> slot = checker.occupy();
        try {
            log.append(slot.isPresent() ? Event.Kind.ENTERED : Event.Kind.CLASHED, resource, name, fence);
            boolean stay = resource == Resource.LOCK && stays.get();
            if (stay) {
                log.append(Event.Kind.STAYS, resource, name, fence);
            }
            boolean lost = isLostWithin(stay ? Long.MAX_VALUE : random(80, 220), lease);
            log.append(lost ? Event.Kind.LOST : Event.Kind.LEAVES, resource, name, fence);
        } finally {
            slot.ifPresent(Worker::leave);
        }
    }

    /** Works for this time, or until the lease is lost; returns whether it was. */
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

    private static void leave(FileLock slot) {
        try {
            slot.release();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long random(long from, long to) {
        return ThreadLocalRandom.current().nextLong(from, to);
    }
}
