package io.keyhold.embedded;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What finding the server depends on: the environment variables, the platform, and the user's home as Java knows it. */
record HostEnvironment(Map<String, String> variables, String operatingSystem, String architecture, String home) {

    static HostEnvironment current() {
        return new HostEnvironment(
                System.getenv(),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                System.getProperty("user.home"));
    }

    /** The value, or "" where the variable is not set: for a path the two mean the same. */
    String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    boolean isLinux() {
        return operatingSystem.toLowerCase(Locale.ROOT).contains("linux");
    }

    boolean isMac() {
        return operatingSystem.toLowerCase(Locale.ROOT).contains("mac");
    }

    /**
     * Where to keep files of this user, as {@link EmbeddedRedis#cacheDirectory()} says.
     *
     * <p>Below the user's home and not in the shared temporary directory: there, another user could leave an executable
     * under a name that can be guessed, for this user to run. The variable comes before what Java knows: where the system
     * does not know the user, as in a container that runs under any number, Java returns a question mark.
     */
    Optional<Path> cache() {
        String caches = variable("XDG_CACHE_HOME");
        if (isAbsolute(caches)) {
            return Optional.of(Path.of(caches, "keyhold"));
        }
        String known = variable("HOME");
        if (!isAbsolute(known)) {
            known = home;
        }
        return isAbsolute(known) ? Optional.of(Path.of(known, ".cache", "keyhold")) : Optional.empty();
    }

    private static boolean isAbsolute(String path) {
        return Path.of(path).isAbsolute();
    }
}
