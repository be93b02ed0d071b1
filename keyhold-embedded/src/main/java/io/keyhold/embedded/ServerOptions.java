package io.keyhold.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Directives of a redis.conf, in the order in which they were given. Immutable. */
final class ServerOptions {
    static final ServerOptions NONE = new ServerOptions(List.of());

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");

    private static final List<Directive> DEFAULTS = List.of(
            new Directive("bind", List.of(EmbeddedRedis.HOST)),
            new Directive("save", List.of("")),
            new Directive("appendonly", List.of("no")));

    /** Directives that would pull the server away from under the class that started it, with what to do instead. */
    private static final Map<String, String> RESERVED = Map.of(
            "port", "use port(int)",
            "dir", "use directory(Path)",
            "daemonize", "use startDaemon()");

    private final List<Directive> directives;

    private ServerOptions(List<Directive> directives) {
        this.directives = directives;
    }

    ServerOptions with(String name, String... values) {
        List<Directive> longer = new ArrayList<>(directives);
        longer.add(checked(name, values));
        return new ServerOptions(List.copyOf(longer));
    }

    ServerOptions with(ServerOptions more) {
        List<Directive> longer = new ArrayList<>(directives);
        longer.addAll(more.directives);
        return new ServerOptions(List.copyOf(longer));
    }

    /** With directives for a server that leaves this JVM: it has no standard output then, and no parent that knows its id. */
    ServerOptions asDaemon(ServerDirectory directory) {
        return with(new ServerOptions(List.of(
                new Directive("daemonize", List.of("yes")),
                new Directive("logfile", List.of(directory.log().toString())),
                new Directive("pidfile", List.of(directory.processId().toString())))));
    }

    /** The redis.conf: the defaults that were not overruled, the given directives, then those that cannot be overruled. */
    List<String> render(int port, Path directory) {
        List<Directive> all = new ArrayList<>();
        DEFAULTS.stream().filter(each -> !names(each.name())).forEach(all::add);
        all.addAll(directives);
        all.add(new Directive("port", List.of(Integer.toString(port))));
        all.add(new Directive("dir", List.of(directory.toString())));
        if (!names("daemonize")) { // Behind a file that is included, which may say otherwise.
            all.add(new Directive("daemonize", List.of("no")));
        }
        return all.stream().map(Directive::line).toList();
    }

    private boolean names(String name) {
        return directives.stream().anyMatch(each -> each.name().equals(name));
    }

    private static Directive checked(String name, String... values) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("option name \"" + name
                    + "\": must be a redis.conf directive: a letter, then letters, digits, '-', '_' or '.'");
        }
        String directive = name.toLowerCase(Locale.ROOT);
        String instead = RESERVED.get(directive);
        if (instead != null) {
            throw new IllegalArgumentException("option \"" + name + "\": cannot be set here: " + instead);
        }
        if (values.length == 0) {
            throw new IllegalArgumentException("option \"" + name + "\": needs at least one value, which may be \"\"");
        }
        for (String value : values) {
            if (value.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("option \"" + name + "\": value \"" + value
                        + "\" must not contain a line break or another control character");
            }
        }
        return new Directive(directive, List.copyOf(Arrays.asList(values)));
    }

    private record Directive(String name, List<String> values) {
        String line() {
            StringBuilder line = new StringBuilder(name);
            for (String value : values) {
                String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"");
                line.append(" \"").append(escaped).append('"');
            }
            return line.toString();
        }
    }
}
