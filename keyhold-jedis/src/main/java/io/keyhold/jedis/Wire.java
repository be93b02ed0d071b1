package io.keyhold.jedis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.spi.RedisCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.commands.ProtocolCommand;

/** Commands out, raw replies in. Nothing else of Jedis's command API is used, so nothing else of it can surprise. */
final class Wire {

    private Wire() {}

    /** Sends one command and waits for its reply. */
    static @Nullable Object exchange(Connection connection, RedisCall call) {
        return connection.executeCommand(arguments(call));
    }

    /** Sends all and then reads as many replies; an error reply is an exception among them. */
    static List<@Nullable Object> exchange(Connection connection, List<RedisCall> calls) {
        for (RedisCall call : calls) {
            connection.sendCommand(arguments(call));
        }
        return connection.getMany(calls.size());
    }

    /** Waits for what the server says unasked, without sending anything. */
    static @Nullable Object next(Connection connection) {
        return connection.getUnflushedObject();
    }

    private static CommandArguments arguments(RedisCall call) {
        byte[] name = call.command().getBytes(UTF_8);
        ProtocolCommand command = () -> name;
        CommandArguments arguments = new CommandArguments(command);
        for (String argument : call.arguments()) {
            arguments.add(argument.getBytes(UTF_8));
        }
        return arguments;
    }
}
