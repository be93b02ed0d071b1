package io.keyhold.embedded;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** What finding the server depends on: the environment variables, the platform, and a place to keep an executable. */
record HostEnvironment(Map<String, String> variables, String operatingSystem, String architecture, Path cache) {

    static HostEnvironment current() {
        Map<String, String> variables = System.getenv();
        return new HostEnvironment(
                variables, System.getProperty("os.name"), System.getProperty("os.arch"), cacheOf(variables));
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
     * Below the user's home and not in the shared temporary directory: there, somebody else could leave an executable
     * under a name that can be guessed, for this user to run.
     */
    private static Path cacheOf(Map<String, String> variables) {
        String caches = variables.getOrDefault("XDG_CACHE_HOME", "");
        Path base = caches.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(caches);
        return base.resolve("keyhold");
    }
}
