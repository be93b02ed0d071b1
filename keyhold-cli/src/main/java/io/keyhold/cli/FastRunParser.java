package io.keyhold.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Parses plain command lines of {@code keyhold run} without picocli, whose setup takes longer than everything else until the
 * command runs. Leaves all others to picocli, including help and mistakes, so that messages have one source. A test compares the
 * options of both.
 */
final class FastRunParser {

    private final RunCommand run = new RunCommand();
    private final List<String> keys = new ArrayList<>();
    private final List<String> command = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    private FastRunParser() {}

    /** Parses the arguments that follow "run"; returns empty if picocli must parse them. */
    static Optional<FastRunParser> parse(List<String> arguments) {
        FastRunParser parser = new FastRunParser();
        try {
            parser.parseAll(arguments.iterator());
            return Optional.of(parser);
        } catch (IllegalArgumentException notPlain) {
            return Optional.empty();
        }
    }

    /** Runs the command. */
    int execute() throws InterruptedException {
        return run.run(keys, command);
    }

    RunCommand options() {
        return run;
    }

    List<String> keys() {
        return keys;
    }

    List<String> command() {
        return command;
    }

    private void parseAll(Iterator<String> arguments) {
        String argument = next(arguments);
        while (!argument.equals("--")) {
            if (argument.startsWith("-")) {
                option(argument, arguments);
            } else {
                keys.add(argument);
            }
            argument = next(arguments);
        }
        arguments.forEachRemaining(command::add);
    }

    private void option(String argument, Iterator<String> arguments) {
        int equals = argument.indexOf('=');
        if (equals >= 0) {
            String value = argument.substring(equals + 1);
            if (!withValue(once(argument.substring(0, equals)), List.of(value).iterator())) {
                throw new IllegalArgumentException(argument);
            }
        } else if (!isFlag(once(argument)) && !withValue(argument, arguments)) {
            throw new IllegalArgumentException(argument);
        }
    }

    /** A repeated option is left to picocli. */
    private String once(String name) {
        if (!seen.add(name)) {
            throw new IllegalArgumentException(name);
        }
        return name;
    }

    private boolean isFlag(String name) {
        switch (name) {
            case "--no-wait" -> run.acquire.noWait = true;
            case "--resize" -> run.acquire.resize = true;
            case "--shared" -> run.acquire.shared = true;
            case "--exclusive" -> run.acquire.exclusive = true;
            case "--admit-fresh-nodes" -> run.common.admitFreshNodes = true;
            case "-v", "--verbose" -> Diagnostics.verbose(true);
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean withValue(String name, Iterator<String> values) {
        switch (name) {
            case "--wait" -> run.acquire.wait = Durations.parse(value(values));
            case "--of" -> run.acquire.of = Integer.valueOf(value(values));
            case "--permits" -> run.acquire.permits = Integer.valueOf(value(values));
            case "--fair" -> run.acquire.fair = value(values);
            case "--lease" -> run.lease = Durations.parse(value(values));
            case "--label" -> run.label = value(values);
            case "--on-lost" -> run.onLost = value(values);
            case "--kill-grace" -> run.killGrace = Durations.parse(value(values));
            case "--longest-lease" -> run.common.longestLease = Durations.parse(value(values));
            case "--redis" -> run.common.redis = Arrays.asList(value(values).split(Connection.SEPARATOR, -1));
            case "--cacert" -> run.common.cacert = value(values);
            case "--cert" -> run.common.cert = value(values);
            case "--cert-key" -> run.common.certKey = value(values);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static String value(Iterator<String> values) {
        String value = next(values);
        if (value.startsWith("-") || value.isEmpty()) {
            throw new IllegalArgumentException(value);
        }
        return value;
    }

    private static String next(Iterator<String> arguments) {
        if (!arguments.hasNext()) {
            throw new IllegalArgumentException("the end");
        }
        return arguments.next();
    }
}
