package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.cli.view.DurationText;
import io.keyhold.cli.view.Screen;
import io.keyhold.cli.view.TextWidth;
import io.keyhold.console.internal.Printable;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
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
    private final long start = System.nanoTime();
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean shown;

    private WaitWatch(Connection connection, Keyhold keyhold, List<String> keys) {
        this.connection = connection;
        this.keyhold = keyhold;
        this.keys = keys;
    }

    /** Starts a thread that does nothing for the first second. */
    static WaitWatch start(Connection connection, Keyhold keyhold, List<String> keys) {
        WaitWatch watch = new WaitWatch(connection, keyhold, keys);
        if (connection.isLocal() || Terminal.errorDrawing()) {
            Thread thread = new Thread(watch, "keyhold-wait-watch");
            thread.setDaemon(true);
            thread.start();
        }
        return watch;
    }

    @Override
    public void run() {
        try {
            while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                if (connection.isLocal()) {
                    keepRunning();
                }
                if (Terminal.errorDrawing()) {
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

    private String text() {
        String text = "keyhold: waiting " + DurationText.of(Duration.ofNanos(System.nanoTime() - start));
        try {
            // The holder last: its token is long, and the line is cut.
            if (keys.size() == 1) {
                LockSnapshot lock = keyhold.inspect().lock(keys.get(0));
                int position = lock.queue().stream()
                                .map(LockWaiter::processId)
                                .toList()
                                .indexOf(OptionalLong.of(ProcessHandle.current().pid()))
                        + 1;
                text += position > 0 ? "; position " + position + " of " + lock.waiterCount() : "";
            }
            return text + "; " + HolderText.of(keyhold, keys);
        } catch (KeyholdException unreachable) {
            return text + "; " + unreachable.getMessage();
        }
    }

    private synchronized void show(String text) {
        if (closed.getCount() > 0) {
            System.err.print(CLEAR + TextWidth.cut(Printable.text(text), Screen.columns() - 1));
            System.err.flush();
            shown = true;
        }
    }

    /** Stops, and clears the line. */
    synchronized void close() {
        closed.countDown();
        if (shown) {
            System.err.print(CLEAR);
            System.err.flush();
        }
    }
}
