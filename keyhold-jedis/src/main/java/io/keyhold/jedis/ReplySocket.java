package io.keyhold.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A socket on which a thread can wait for input without taking it from the one that reads it: a Jedis connection whose read times out
 * is broken, so a reply cannot be awaited there for less than the command timeout. Used by one thread at a time.
 */
final class ReplySocket extends Socket {

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
            int usual = getSoTimeout();
            setSoTimeout(millis);
            try {
                from = 0;
                to = 0; // First: if the read times out, what was there before must not be there again.
                to = Math.max(0, socket.read(buffer));
            } finally {
                setSoTimeout(usual);
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // The reader will meet it too, and say what it means.
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new Input(super.getInputStream());
    }

    /** What was read while waiting, and then the socket's input. */
    private final class Input extends InputStream {

        private final InputStream socket;

        Input(InputStream socket) {
            this.socket = socket;
        }

        @Override
        public int read() throws IOException {
            return from < to ? buffer[from++] & 0xFF : socket.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (from == to) {
                return socket.read(target, offset, length);
            }
            int taken = Math.min(length, to - from);
            System.arraycopy(buffer, from, target, offset, taken);
            from += taken;
            return taken;
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
