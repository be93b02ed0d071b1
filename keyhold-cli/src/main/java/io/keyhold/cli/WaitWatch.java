package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.cli.view.DurationText;
import io.keyhold.cli.view.TextWidth;
import io.keyhold.console.internal.Printable;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks after a request that waits: shows on a terminal what it waits for, and keeps the private Redis server running, which
 * 'keyhold embedded stop' may have stopped.
 */
final class WaitWatch implements Runnable {

    private static final long PAUSE_MILLIS = 1_000;
    private static final String CLEAR = "\r\u001b[K";

    private final Connection connection;
    private final Keyhold keyhold;
    private final List<String> keys;
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean shown;

    private WaitWatch(Connection connection, Keyhold keyhold, List<String> keys) {
        this.connection = connection;
        this.keyhold = keyhold;
        this.keys = keys;
    }

    /** What waits for a lock. */
    interface Request {
        Lease acquire() throws InterruptedException;
    }

    /**
     * Returns the lease of this request, and looks after it while it waits. Withdraws it if the launcher ends meanwhile, as it does
     * when a signal ends it.
     *
     * @throws KeyholdClosedException if the launcher ended
     */
    static Lease during(
            Request request, LauncherChannel launcher, Connection connection, Keyhold keyhold, List<String> keys)
            throws InterruptedException {
        launcher.forwardSignals();
        CompletableFuture<Void> abort = launcher.end().thenRun(keyhold::close);
        WaitWatch watch = new WaitWatch(connection, keyhold, keys);
        if (connection.isLocal() || Terminal.ERROR.draws()) {
            // Does nothing for the first second.
            Thread thread = new Thread(watch, "keyhold-wait-watch");
            thread.setDaemon(true);
            thread.start();
        }
        try {
            Lease acquired = request.acquire();
            abort.cancel(false);
            return acquired;
        } catch (KeyholdClosedException launcherEnded) {
            abort.join();
            throw launcherEnded;
        } finally {
            watch.close();
        }
    }

    @Override
    public void run() {
        try {
            while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                if (connection.isLocal()) {
                    keepRunning();
                }
                if (Terminal.ERROR.draws() && isInForeground()) {
                    show(text());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void keepRunning() {
        try {
            LocalRedis.ensureRunning(true);
        } catch (CliException e) {
            Diagnostics.detail(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Whether the launcher is in the foreground of the terminal. Otherwise the line would overwrite what the user types: the lease
     * holder goes on when the launcher is stopped, and for a moment when it was killed. True where there is no /proc.
     */
    private static boolean isInForeground() {
        long launcher = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
        try {
            String status = Files.readString(Path.of("/proc/" + launcher + "/stat"), ISO_8859_1);
            // After the name, which may contain anything: state, parent, group, session, terminal, foreground group.
            String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ", -1);
            return fields[2].equals(fields[5]);
        } catch (IOException unknown) {
            return !Files.isDirectory(Path.of("/proc/self"));
        }
    }

    private String text() {
        String text = "keyhold: waiting " + DurationText.of(Duration.between(start, Instant.now()));
        try {
            // The holder last: its token is long, and the line is cut.
            if (keys.size() == 1) {
                LockSnapshot lock = keyhold.inspect().lock(keys.get(0));
                int position = position(lock.queue());
                text += position > 0 ? "; position " + position + " of " + lock.waiterCount() : "";
            }
            return text + "; " + HolderText.of(keyhold, keys);
        } catch (KeyholdException unreachable) {
            return text + "; " + unreachable.getMessage();
        }
    }

    /** Returns the position of this process; 0 if it is not in the queue. On other machines, older waiters may have its process id. */
    private int position(List<LockWaiter> queue) {
        OptionalLong process = OptionalLong.of(ProcessHandle.current().pid());
        for (LockWaiter waiter : queue) {
            if (waiter.processId().equals(process) && !waiter.waitingSince().isBefore(start)) {
                return queue.indexOf(waiter) + 1;
            }
        }
        return 0;
    }

    private synchronized void show(String text) {
        if (closed.getCount() > 0) {
            System.err.print(
                    CLEAR + TextWidth.cut(Printable.text(text), Screen.size().columns() - 1));
            System.err.flush();
            shown = true;
        }
    }

    /** Stops, and clears the line. */
    synchronized void close() {
        closed.countDown();
        if (shown && isInForeground()) {
            System.err.print(CLEAR);
            System.err.flush();
        }
    }
}
