package io.keyhold.lettuce;

import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A command that knows whether it was sent. Between its dispatch and its sending it waits for the thread that writes to
 * the connection, behind all that was dispatched before.
 */
final class SentCommand extends AsyncCommand<String, String, @Nullable Object> {

    private final Runnable sending;
    private volatile boolean sent;

    /** {@code sending} is run when the command is turned into bytes, which are written at once. */
    SentCommand(Command<String, String, @Nullable Object> command, Runnable sending) {
        super(command);
        this.sending = sending;
    }

    @Override
    public void encode(ByteBuf buffer) {
        sending.run();
        sent = true;
        super.encode(buffer);
    }

    /** Whether a part of it may have reached the server. */
    boolean isSent() {
        return sent;
    }
}
