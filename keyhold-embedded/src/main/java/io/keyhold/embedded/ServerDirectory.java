package io.keyhold.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the server keeps its files: the caller's directory, or a temporary one that ends with the server. */
final class ServerDirectory {
    private final Path path;
    private final boolean temporary;

    private ServerDirectory(Path path, boolean temporary) {
        this.path = path;
        this.temporary = temporary;
    }

    static ServerDirectory create(@Nullable Path chosen) {
        try {
            return chosen == null
                    ? new ServerDirectory(
                            Files.createTempDirectory("keyhold-redis-").toAbsolutePath(), true)
                    : new ServerDirectory(Files.createDirectories(chosen).toAbsolutePath(), false);
        } catch (IOException e) {
            throw new EmbeddedRedisException("cannot create a directory for the server: " + e, e);
        }
    }

    Path path() {
        return path;
    }

    Path log() {
        return path.resolve("embedded-redis.log");
    }

    Path configuration() {
        return path.resolve("embedded-redis.conf");
    }

    /** Written by a daemon. */
    Path processId() {
        return path.resolve("embedded-redis.pid");
    }

    /**
     * Writes the configuration so that only its owner can read it: it may contain passwords. Replaces an earlier one as a whole,
     * because other processes read that of a daemon.
     */
    void writeConfiguration(List<String> lines) {
        Path complete = path.resolve("embedded-redis.conf.new");
        try {
            createForOwner(complete);
            Files.write(complete, lines);
            Files.move(complete, configuration(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new EmbeddedRedisException("cannot write the server's configuration: " + e, e);
        }
    }

    /** Replaces the file by an empty one that only its owner can read. */
    static void createForOwner(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, readableByOwnerOnly());
    }

    private static FileAttribute<?>[] readableByOwnerOnly() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    void deleteIfTemporary() {
        if (!temporary) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException leftToTheSystem) {
            // A child that was saving when its server was killed may still write here. Rubbish in the temporary
            // directory is no reason to fail a test that has passed.
        }
    }
}
