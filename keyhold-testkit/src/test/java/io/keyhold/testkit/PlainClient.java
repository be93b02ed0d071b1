package io.keyhold.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends Redis commands of one line, and reads replies of one line. */
final class PlainClient implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader replies;

    PlainClient(int port) throws IOException {
        this(connected(port));
    }

    PlainClient(Socket socket) throws IOException {
        this.socket = socket;
        this.replies = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        replyTimeout(Duration.ofMinutes(1));
    }

    private static Socket connected(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(ServerAddress.local(), port));
        socket.setTcpNoDelay(true);
        return socket;
    }

    String ask(String command) throws IOException {
        send(command);
        return receive();
    }

    void send(String command) throws IOException {
        sendPart(command + "\r\n");
    }

    void sendPart(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The next line, or "(end)" when there will be none. */
    String receive() throws IOException {
        String line = replies.readLine();
        return line == null ? "(end)" : line;
    }

    void replyTimeout(Duration timeout) throws IOException {
        socket.setSoTimeout((int) timeout.toMillis());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
