package io.keyhold.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The command line of {@code keyhold run}, read without picocli, which takes longer to set up than all the rest takes until
 * the command runs. Whatever is not plain is left to picocli, help and mistakes too, so that there is one voice for them. A
 * test holds the two to the same options.
 */
final class QuickRun {

    private final RunCommand run = new RunCommand();
    private final List<String> keys = new ArrayList<>();
    private final List<String> command = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    private QuickRun() {}

    /** What stands behind the word "run"; empty if it is not plain. */
    static Optional<QuickRun> read(List<String> arguments) {
        QuickRun quick = new QuickRun();
        try {
            quick.readAll(arguments.iterator());
            return Optional.of(quick);
        } catch (IllegalArgumentException notPlain) {
            return Optional.empty();
        }
    }

    /** Does it. */
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

    private void readAll(Iterator<String> arguments) {
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

    /** Who says something twice may have two things in mind. */
    private String once(String name) {
        if (!seen.add(name)) {
            throw new IllegalArgumentException(name);
        }
        return name;
    }

    private boolean isFlag(String name) {
        switch (name) {
            case "--no-wait" -> run.hold.noWait = true;
            case "--resize" -> run.hold.resize = true;
            case "--shared" -> run.hold.shared = true;
            case "--exclusive" -> run.hold.exclusive = true;
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
            case "--wait" -> run.hold.wait = Durations.parse(value(values));
            case "--of" -> run.hold.of = Integer.valueOf(value(values));
            case "--permits" -> run.hold.permits = Integer.valueOf(value(values));
            case "--fair" -> run.hold.fair = value(values);
            case "--lease" -> run.lease = Durations.parse(value(values));
            case "--label" -> run.label = value(values);
            case "--on-lost" -> run.onLost = value(values);
            case "--kill-grace" -> run.killGrace = Durations.parse(value(values));
            case "--longest-lease" -> run.common.longestLease = Durations.parse(value(values));
            case "--redis" -> run.common.redis = Arrays.asList(value(values).split(",", -1));
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
