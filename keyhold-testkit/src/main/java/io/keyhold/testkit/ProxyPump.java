package io.keyhold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Moves the data of one direction. One thread reads and notes when something arrived, another delivers it: if one thread
 * did both, data that arrives while earlier data is held back would be delayed twice.
 */
final class ProxyPump {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream source;
    private final Delivery delivery;
    private final ProxyConnection connection;
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private final Thread reader;
    private final Thread deliverer;

    ProxyPump(String name, InputStream source, Delivery delivery, ProxyConnection connection) {
        this.source = source;
        this.delivery = delivery;
        this.connection = connection;
        this.reader = DaemonThread.named(name + "-in", this::readAll);
        this.deliverer = DaemonThread.named(name + "-out", this::deliverAll);
    }

    void start() {
        reader.start();
        deliverer.start();
    }

    /** Ends a wait. The reading thread ends with its socket. */
    void stop() {
        // Not if it stops itself: it still has to tell others, which should not find their thread interrupted.
        if (Thread.currentThread() != deliverer) {
            deliverer.interrupt();
        }
    }

    private void readAll() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int length = source.read(buffer); length >= 0; length = source.read(buffer)) {
                arrivals.add(new Arrival(Arrays.copyOf(buffer, length)));
            }
        } catch (IOException reset) {
            // An end like any other.
        }
        arrivals.add(new Arrival(Arrival.END));
    }

    private void deliverAll() {
        try {
            Arrival arrival = arrivals.take();
            while (!arrival.isEnd()) {
                delivery.data(arrival.data, arrival.nanos);
                arrival = arrivals.take();
            }
            switch (delivery.end(arrival.nanos)) {
                case KEEP -> {}
                case CLOSE -> connection.close();
                case CUT -> connection.cut();
            }
        } catch (IOException | InterruptedException otherSideIsGone) {
            connection.cut();
        }
    }

    /** Data, or the end of it, and when it came. */
    private static final class Arrival {
        static final byte[] END = new byte[0];

        final byte[] data;
        final long nanos = System.nanoTime();

        Arrival(byte[] data) {
            this.data = data;
        }

        boolean isEnd() {
            return data == END;
        }
    }
}
