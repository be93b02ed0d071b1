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

    /** Copies the arguments. */
    public RedisCall {
        Objects.requireNonNull(command, "command must not be null");
        arguments = List.copyOf(Objects.requireNonNull(arguments, "arguments must not be null"));
    }

    /**
     * Returns the command with these arguments.
     *
     * @param command the command's name
     * @param arguments everything behind the name
     * @return the call
     */
    public static RedisCall of(String command, String... arguments) {
        return new RedisCall(command, List.of(arguments));
    }

    /** {@return the command's name and the number of its arguments, which may hold tokens and do not belong in logs} */
    @Override
    public String toString() {
        return command + " (" + arguments.size() + " arguments)";
    }
}
