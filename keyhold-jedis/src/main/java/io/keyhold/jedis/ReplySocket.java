package io.keyhold.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.util.IOUtils;

/**
 * A socket that a blocking call waits on at the lowest cost, and on which a thread can wait for input without taking it from the one that
 * reads it: a Jedis connection whose read times out is broken, so a reply cannot be awaited there for less than the command timeout.
 * Used by one thread at a time.
 *
 * <p>Java reads with a timeout by three system calls: one that finds nothing yet, one that waits, and one that reads. Without a timeout it
 * is one, after an {@link AdaptiveSpin}. So timeouts are not the socket's here: a timer closes the socket when a connect, read or write takes too long, and the thread that is
 * blocked in it gets the exception that it would have got otherwise ({@code docs/decisions/045}). Java has none for writes: one to a host whose packets are dropped would block
 * for a quarter of an hour once the buffer of the socket is full.
 */
final class ReplySocket extends Socket {

    /** Values of {@link #deadline} beside the deadlines, which are odd. */
    private static final long NONE = 0;

    private static final long OVERDUE = 2;

    /** After a pause of the JVM, timer and reader wake up together: a reply that has arrived meanwhile must not be lost. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /**
     * One daemon thread for all sockets, which ends when it has nothing to do. Not the timer of {@link java.util.concurrent.CompletableFuture}:
     * applications run code of theirs on its thread, which may wait for a reply itself.
     */
    private static final class Timer {

        static final ScheduledThreadPoolExecutor INSTANCE = create();

        private Timer() {}

        private static ScheduledThreadPoolExecutor create() {
            ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
                Thread thread = new Thread(task, "keyhold-socket-timeouts");
                thread.setDaemon(true);
                return thread;
            });
            timer.setKeepAliveTime(1, TimeUnit.SECONDS);
            timer.allowCoreThreadTimeOut(true);
            return timer;
        }
    }

    /**
     * When the operation that a thread is blocked in has to end, by {@link System#nanoTime()}. The thread and the timer compete to replace it:
     * either the operation has ended in time, or it is overdue and the socket is closed. So what ends at the last moment does not fail
     * the operation behind it.
     */
    private final AtomicLong deadline = new AtomicLong(NONE);

    /**
     * When the timer next checks the deadline, which is not later than the deadline; {@link #NONE} if it does not. It checks about once for
     * each timeout and not once for each operation.
     */
    private final AtomicLong nextCheck = new AtomicLong(NONE);

    /** The deadline that the last check found passed. Used by the timer's thread only. */
    private long passed = NONE;

    private volatile int timeoutMillis;

    /** Looks for a reply before a read blocks; as for a remote server until the socket is connected. */
    private AdaptiveSpin spin = AdaptiveSpin.of(false);

    private final byte[] buffer = new byte[512];
    private int from;
    private int to;

    /** Waits until something can be read, the end of input and a failure included; at most for this time, and not at all if it is 0. */
    boolean awaitInput(int millis) {
        if (from < to) {
            return true;
        }
        try {
            InputStream socket = super.getInputStream();
            if (millis == 0) {
                return socket.available() > 0;
            }
            if (spin.finds(socket)) {
                return true;
            }
            super.setSoTimeout(millis);
            try {
                from = 0;
                to = 0; // First: if the read times out, what was there before must not be there again.
                to = Math.max(0, socket.read(buffer));
            } finally {
                super.setSoTimeout(0);
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // The reader gets the same exception.
        }
    }

    /** For reads and writes; 0 to wait indefinitely. */
    @Override
    public synchronized void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    @Override
    public synchronized int getSoTimeout() {
        return timeoutMillis;
    }

    @Override
    public void connect(SocketAddress address, int millis) throws IOException {
        within(millis, "Connect timed out", () -> {
            super.connect(address, 0);
            return 0;
        });
        spin = AdaptiveSpin.of(getInetAddress().isLoopbackAddress());
    }

    /** A blocking operation, which returns a byte or a number of bytes. */
    private interface Operation {

        int run() throws IOException;
    }

    private int within(int millis, String ifLate, Operation operation) throws IOException {
        if (millis == 0) {
            return operation.run();
        }
        long end = (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis)) | 1;
        deadline.set(end);
        long next = nextCheck.get();
        if (next == NONE || end - next < 0) {
            checkAt(end, next);
        }
        try {
            int result = operation.run();
            if (deadline.compareAndSet(end, NONE)) {
                return result;
            }
        } catch (IOException e) {
            if (deadline.compareAndSet(end, NONE)) {
                throw e;
            }
        }
        throw new SocketTimeoutException(ifLate);
    }

    /** Starts the timer, unless it was started again since {@code previous} was read. A check that was to come later then does nothing. */
    private void checkAt(long end, long previous) {
        if (!nextCheck.compareAndSet(previous, end)) {
            return;
        }
        try {
            Timer.INSTANCE.schedule(() -> check(end), end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (Throwable e) { // The system may have no thread left for the timer.
            nextCheck.set(NONE);
            throw e;
        }
    }

    private void check(long planned) {
        if (nextCheck.get() != planned) {
            return;
        }
        long end = deadline.get();
        if (end == NONE) {
            nextCheck.compareAndSet(planned, NONE);
            end = deadline.get(); // Of an operation that has begun meanwhile and may have seen the timer at work.
            if (end != NONE) {
                checkAt(end, NONE);
            }
        } else if (end - System.nanoTime() > 0) {
            checkAt(end, planned);
        } else if (passed != end) {
            passed = end;
            checkAt((System.nanoTime() + GRACE_NANOS) | 1, planned);
        } else if (deadline.compareAndSet(end, OVERDUE)) {
            IOUtils.closeQuietly(this);
        } else { // It ended at the last moment.
            checkAt((System.nanoTime() + GRACE_NANOS) | 1, planned);
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new Input(super.getInputStream());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return new Output(super.getOutputStream());
    }

    private final class Output extends OutputStream {

        private final OutputStream socket;

        Output(OutputStream socket) {
            this.socket = socket;
        }

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            within(timeoutMillis, "Write timed out", () -> {
                socket.write(source, offset, length);
                return length;
            });
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** What was read while waiting, and then the socket's input. */
    private final class Input extends InputStream {

        private final InputStream socket;

        Input(InputStream socket) {
            this.socket = socket;
        }

        @Override
        public int read() throws IOException {
            return from < to ? buffer[from++] & 0xFF : await(socket::read);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (from == to) {
                return await(() -> socket.read(target, offset, length));
            }
            int taken = Math.min(length, to - from);
            System.arraycopy(buffer, from, target, offset, taken);
            from += taken;
            return taken;
        }

        /** A read without a timeout is a subscription's, which waits for messages and not for a reply. */
        private int await(Operation read) throws IOException {
            int millis = timeoutMillis;
            return within(millis, "Read timed out", () -> {
                if (millis > 0) {
                    spin.finds(socket);
                }
                return read.run();
            });
        }

        @Override
        public int available() throws IOException {
            return to - from + socket.available();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
