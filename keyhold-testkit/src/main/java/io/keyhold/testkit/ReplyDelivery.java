package io.keyhold.testkit;

import java.io.IOException;
import java.net.Socket;

/** From the server to the client. */
final class ReplyDelivery implements Delivery {
    private final Socket client;
    private final Socket server;
    private final TrafficRule rule;
    private final LostReply lostReply;

    ReplyDelivery(Socket client, Socket server, TrafficRule rule, LostReply lostReply) {
        this.client = client;
        this.server = server;
        this.rule = rule;
        this.lostReply = lostReply;
    }

    @Override
    public void data(byte[] data, long arrivedNanos) throws IOException, InterruptedException {
        boolean passes = rule.awaitPassage(arrivedNanos);
        if (lostReply.isAwaited()) {
            if (lostReply.afterReply()) {
                server.shutdownOutput();
            }
        } else if (passes) {
            client.getOutputStream().write(data);
        }
    }

    @Override
    public AfterEnd end(long arrivedNanos) throws InterruptedException {
        if (lostReply.isAwaited()) {
            lostReply.drained();
            return AfterEnd.CUT;
        }
        rule.awaitPassageOfEnd(arrivedNanos);
        return AfterEnd.CLOSE;
    }
}
