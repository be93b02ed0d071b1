package io.keyhold.spi;

import java.util.List;
import java.util.Objects;

/**
 * One Redis command: its name and its arguments, in the order in which the server reads them, as UTF-8 text.
 *
 * @param command the command's name, such as {@code EVALSHA}
 * @param arguments everything behind the name
 */
public record RedisCall(String command, List<String> arguments) {

    /** Takes a copy of the arguments. */
    public RedisCall {
        Objects.requireNonNull(command, "command");
        arguments = List.copyOf(arguments);
    }

    /** The command with these arguments. */
    public static RedisCall of(String command, String... arguments) {
        return new RedisCall(command, List.of(arguments));
    }

    /** The command's name and the number of its arguments: arguments may hold tokens, which do not belong in logs. */
    @Override
    public String toString() {
        return command + " (" + arguments.size() + " arguments)";
    }
}
