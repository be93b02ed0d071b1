package io.keyhold.testkit;

import java.io.IOException;
import java.net.Socket;

/** From the client to the server. */
final class RequestDelivery implements Delivery {
    private final Socket server;
    private final TrafficRule rule;
    private final LostReply lostReply;

    RequestDelivery(Socket server, TrafficRule rule, LostReply lostReply) {
        this.server = server;
        this.rule = rule;
        this.lostReply = lostReply;
    }

    @Override
    public void data(byte[] data, long arrivedNanos) throws IOException, InterruptedException {
        if (!rule.awaitPassage(arrivedNanos)) {
            return;
        }
        if (lostReply.isLastRequestSent()) {
            return;
        }
        lostReply.beforeRequest(data);
        try {
            server.getOutputStream().write(data);
            if (lostReply.afterRequest()) {
                server.shutdownOutput();
            }
        } catch (IOException e) {
            // The other direction may have sent the last request's end meanwhile, and still waits for the replies.
            if (!lostReply.isLastRequestSent()) {
                throw e;
            }
        }
    }

    /** The server decides what a client that sends no more still gets; the connection ends with the replies. */
    @Override
    public AfterEnd end(long arrivedNanos) throws IOException, InterruptedException {
        rule.awaitPassageOfEnd(arrivedNanos);
        if (!lostReply.isAwaited()) {
            server.shutdownOutput();
        }
        return AfterEnd.KEEP;
    }
}
