package io.keyhold.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.spi.RedisCall;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.util.List;

/** From calls to Lettuce's commands. */
final class Commands {

    private Commands() {}

    /** {@code sending} runs immediately before the command is sent. */
    static SentCommand of(RedisCall call, Runnable sending) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
        for (String argument : call.arguments()) {
            arguments.add(argument.getBytes(UTF_8));
        }
        return new SentCommand(new Command<>(new Name(call.command()), new ReplyOutput(), arguments), sending);
    }

    static List<SentCommand> of(List<RedisCall> calls, Runnable sending) {
        return calls.stream().map(call -> of(call, sending)).toList();
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
}
