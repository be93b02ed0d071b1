package io.keyhold.embedded;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The executables inside the jar org.signal:embedded-redis, one for each of a few platforms. */
final class BundledServer {
    private static final String VERSION = "7.0.15";

    private final HostEnvironment host;

    BundledServer(HostEnvironment host) {
        this.host = host;
    }

    /** The executable for this platform, as a file that can be run. */
    Path extract() {
        String name = "redis-server-" + VERSION + "-" + platform().orElseThrow(this::unsupported);
        URL resource = BundledServer.class.getClassLoader().getResource(name);
        if (resource == null) {
            throw new EmbeddedRedisException("no redis-server or valkey-server on the PATH, and no " + name
                    + " on the class path: set " + ServerFinder.VARIABLE
                    + " to the path of a server, or add org.signal:embedded-redis to the class path"
                    + " (on the module path: --add-modules embedded.redis)");
        }
        try {
            return ExecutableCache.file(resource, cache().resolve(name));
        } catch (IOException notThere) {
            return extractForThisProcess(resource, name, notThere);
        }
    }

    private Path cache() throws IOException {
        return host.cache()
                .orElseThrow(() -> new IOException("neither XDG_CACHE_HOME nor HOME is the path of a folder"));
    }

    /** Not every user has a home, or one that can be written to, or that programs may be run from. */
    private static Path extractForThisProcess(URL resource, String name, IOException notInTheCache) {
        try {
            Path directory = ExecutableCache.ofThisProcess();
            Path file = ExecutableCache.file(resource, directory.resolve(name));
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            e.addSuppressed(notInTheCache);
            throw new EmbeddedRedisException(
                    "cannot copy " + name + " to a file: " + e + "; set " + ServerFinder.VARIABLE
                            + " to the path of an installed server instead",
                    e);
        }
    }

    private Optional<String> platform() {
        String architecture = switch (host.architecture().toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            case "x86", "i386", "i486", "i586", "i686" -> "386";
            default -> "";
        };
        if (host.isLinux() && !architecture.isEmpty()) {
            return Optional.of("linux-" + architecture);
        }
        if (host.isMac() && (architecture.equals("amd64") || architecture.equals("arm64"))) {
            return Optional.of("darwin-" + architecture);
        }
        return Optional.empty();
    }

    private EmbeddedRedisException unsupported() {
        return new EmbeddedRedisException("no redis-server or valkey-server on the PATH, and none is bundled for "
                + host.operatingSystem() + " on " + host.architecture() + ": set " + ServerFinder.VARIABLE
                + " to the path of a server");
    }
}
