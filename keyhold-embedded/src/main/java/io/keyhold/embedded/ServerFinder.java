package io.keyhold.embedded;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds a server to run: the one the user names, else one that is installed, else the one inside the jar. */
final class ServerFinder {
    static final String VARIABLE = "KEYHOLD_REDIS_SERVER";

    private static final List<String> NAMES = List.of("redis-server", "valkey-server");

    private final HostEnvironment host;

    ServerFinder(HostEnvironment host) {
        this.host = host;
    }

    Path find() {
        String named = host.variable(VARIABLE);
        if (!named.isEmpty()) {
            return named(named);
        }
        return installed().orElseGet(() -> new BundledServer(host).extract());
    }

    private static Path named(String value) {
        Path path = Path.of(value);
        if (!isExecutable(path)) {
            throw new EmbeddedRedisException(
                    VARIABLE + "=" + value + ": must name an executable file, such as /usr/bin/redis-server");
        }
        return path.toAbsolutePath();
    }

    private Optional<Path> installed() {
        List<Path> directories = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(host.variable("PATH"))
                .filter(each -> !each.isEmpty())
                .map(Path::of)
                .toList();
        return NAMES.stream()
                .flatMap(name -> directories.stream().map(directory -> directory.resolve(name)))
                .filter(ServerFinder::isExecutable)
                .map(Path::toAbsolutePath)
                .findFirst();
    }

    static boolean isExecutable(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }
}
