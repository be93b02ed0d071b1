package io.keyhold.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.spi.RedisCall;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command that knows whether it was sent. Between its dispatch and its sending it waits for the thread that writes to
 * the connection, behind all that was dispatched before.
 */
final class SentCommand extends AsyncCommand<String, String, @Nullable Object> {

    private final Runnable sending;
    private volatile boolean sent;

    /** {@code sending} runs when the command is turned into bytes, which are written at once. */
    SentCommand(RedisCall call, Runnable sending) {
        super(new Command<>(new Name(call.command()), new ReplyOutput(), arguments(call)));
        this.sending = sending;
    }

    private static CommandArgs<String, String> arguments(RedisCall call) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
        for (String argument : call.arguments()) {
            arguments.add(argument.getBytes(UTF_8));
        }
        return arguments;
    }

    /**
     * A command's name that Lettuce does not recognise. It looks at {@link #toString()}, and would take part in
     * {@code MULTI} and {@code EXEC}, keeping replies of its own; here they are commands like any other.
     */
    private record Name(String text) implements ProtocolKeyword {

        @Override
        public byte[] getBytes() {
            return text.getBytes(UTF_8);
        }

        @Override
        public String toString() {
            return "keyhold " + text;
        }
    }

    @Override
    public void encode(ByteBuf buffer) {
        sending.run();
        sent = true;
        super.encode(buffer);
    }

    /** Sends the commands in one go. What Lettuce throws fails those that have not ended. */
    static void dispatch(StatefulRedisConnection<String, String> connection, List<SentCommand> commands) {
        try {
            if (commands.size() == 1) {
                connection.dispatch(commands.get(0));
            } else {
                connection.dispatch(commands);
            }
        } catch (Throwable e) {
            commands.forEach(command -> command.completeExceptionally(e));
        }
    }

    /** Returns whether a part of it may have reached the server. */
    boolean isSent() {
        return sent;
    }
}
