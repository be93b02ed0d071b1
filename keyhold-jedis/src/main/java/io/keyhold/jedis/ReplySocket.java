package io.keyhold.jedis;

import java.io.IOException;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.util.IOUtils;

/**
 * A socket that a blocking call waits on at the lowest cost, and on which a thread can wait for input without taking it from the one that
 * reads it: a Jedis connection whose read times out is broken, so a reply cannot be awaited there for less than the command timeout.
 * Used by one thread at a time.
 *
 * <p>Java reads with a timeout by three system calls: one that finds nothing yet, one that waits, and one that reads. Without a timeout it
 * is one, after an {@link AdaptiveSpin}. So what the socket is used for is {@link #timed} instead: a timer closes the socket when it takes too long, and the
 * thread that is blocked in it gets the exception that it would have got otherwise ({@code docs/decisions/045}). This bounds writes too, for which Java has
 * no timeout: one to a host whose packets are dropped would block for a quarter of an hour once the buffer of the socket is full.
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
    private static final ScheduledExecutorService TIMER = timer();

    /**
     * When the work that a thread does on the socket has to end, by {@link System#nanoTime()}. The thread and the timer compete to replace it:
     * either the work has ended in time, or it is overdue and the socket is closed. So what ends at the last moment does not fail
     * the work behind it.
     */
    private final AtomicLong deadline = new AtomicLong(NONE);

    /**
     * When the timer next checks the deadline, which is not later than the deadline; {@link #NONE} if it does not. It checks about once for
     * each timeout and not once for each work.
     */
    private final AtomicLong nextCheck = new AtomicLong(NONE);

    /** The deadline that the last check found passed. Used by the timer's thread only. */
    private long passed = NONE;

    private final ScheduledExecutorService timer;
    private volatile int timeoutMillis;

    /** As for a remote server until the socket is connected. */
    private AdaptiveSpin spin = AdaptiveSpin.of(false);

    private @Nullable PushbackInputStream input;

    ReplySocket() {
        this(TIMER);
    }

    ReplySocket(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /** Opens a socket to any address of the host, within this time. */
    static ReplySocket open(String host, int port, int timeoutMillis) throws IOException {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (InetAddress address : InetAddress.getAllByName(host)) {
            addresses.add(new InetSocketAddress(address, port));
        }
        Collections.shuffle(addresses);
        return open(addresses, timeoutMillis);
    }

    /** Tries the addresses one after the other, each for its share of the time that is left. The options are those that Jedis sets. */
    static ReplySocket open(List<InetSocketAddress> addresses, int timeoutMillis) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        IOException failure = new IOException("no address of the host accepts connections");
        for (int i = 0; i < addresses.size(); i++) {
            long share = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()) / (addresses.size() - i);
            ReplySocket socket = new ReplySocket();
            try {
                socket.setReuseAddress(true);
                socket.setKeepAlive(true);
                socket.setTcpNoDelay(true);
                socket.setSoLinger(true, 0);
                socket.connect(addresses.get(i), (int) Math.max(1, share));
                return socket;
            } catch (Throwable e) {
                IOUtils.closeQuietly(socket);
                if (!(e instanceof IOException)) {
                    throw e;
                }
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    private static ScheduledExecutorService timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "keyhold-socket-timeouts");
            thread.setDaemon(true);
            return thread;
        });
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /** The timeout of {@link #timed}; 0 for none. */
    @Override
    public synchronized void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    @Override
    public synchronized int getSoTimeout() {
        return timeoutMillis;
    }

    @Override
    public PushbackInputStream getInputStream() throws IOException {
        PushbackInputStream known = input == null ? new PushbackInputStream(super.getInputStream()) : input;
        input = known;
        return known;
    }

    @Override
    public void connect(SocketAddress address, int millis) throws IOException {
        setSoTimeout(millis);
        timed(() -> {
            super.connect(address, 0);
            return true;
        });
        spin = AdaptiveSpin.of(getInetAddress().isLoopbackAddress());
    }

    /** Looks for input before a read blocks. */
    void spin() throws IOException {
        spin.finds(getInputStream());
    }

    /** Waits until something can be read, the end of input and a failure included; at most for this time, and not at all if it is 0. */
    boolean awaitInput(int millis) {
        try {
            PushbackInputStream known = getInputStream();
            if (millis == 0) {
                return known.available() > 0;
            }
            if (spin.finds(known)) {
                return true;
            }
            super.setSoTimeout(millis);
            try {
                int first = known.read();
                if (first >= 0) {
                    known.unread(first);
                }
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

    /** Work on a socket. */
    interface Work<T> {

        T run() throws IOException;
    }

    /** Does the work, which reads or writes, within the timeout. */
    <T> T timed(Work<T> work) throws IOException {
        int millis = timeoutMillis;
        if (millis == 0) {
            return work.run();
        }
        long end = (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis)) | 1;
        deadline.set(end);
        long next = nextCheck.get();
        if (next == NONE || end - next < 0) {
            checkAt(end, next);
        }
        try {
            T result = work.run();
            if (deadline.compareAndSet(end, NONE)) {
                return result;
            }
        } catch (Throwable e) {
            if (deadline.compareAndSet(end, NONE)) {
                throw e;
            }
        }
        throw new SocketTimeoutException("timed out after " + millis + " ms");
    }

    /** Starts the timer, unless it was started again since {@code previous} was read. A check that was to come later then does nothing. */
    private void checkAt(long end, long previous) {
        if (!nextCheck.compareAndSet(previous, end)) {
            return;
        }
        try {
            timer.schedule(() -> check(end), end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (Throwable e) { // The system may have no thread or memory left. Nothing would end the work any more.
            nextCheck.set(NONE);
            IOUtils.closeQuietly(this);
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
            end = deadline.get(); // Of work that has begun meanwhile and may have seen the timer at work.
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
}
