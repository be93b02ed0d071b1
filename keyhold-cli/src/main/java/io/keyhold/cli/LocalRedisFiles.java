package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The files of the private Redis server, in the user's cache directory; only the user may read them. Other calls find its port
 * and password in the server's configuration, so no second file can disagree with it.
 *
 * @param folder the directory of all files
 */
record LocalRedisFiles(Path folder) {

    private static final FileAttribute<?> FOLDER_FOR_OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final int MAX_PORT = 65_535;

    /** Returns the files of this user: below KEYHOLD_HOME if it is set, else below the user's cache directory. */
    static LocalRedisFiles ofUser() throws IOException {
        LocalRedisFiles files = new LocalRedisFiles(home().resolve("server"));
        if (!Files.isDirectory(files.folder())) {
            Files.createDirectories(files.folder(), FOLDER_FOR_OWNER_ONLY);
        }
        return files;
    }

    private static Path home() {
        String chosen = System.getenv("KEYHOLD_HOME");
        if (chosen != null && !chosen.isEmpty()) {
            return Path.of(chosen).toAbsolutePath();
        }
        return EmbeddedRedis.cacheDirectory()
                .orElseThrow(() -> new CliException(
                        ExitCode.UNREACHABLE,
                        "the private Redis server: no directory for its files, because this user has no home directory; set HOME or"
                                + " XDG_CACHE_HOME to an absolute path, or KEYHOLD_HOME"));
    }

    /** Written by keyhold-embedded. */
    Path configuration() {
        return folder.resolve("embedded-redis.conf");
    }

    /**
     * Whether a process runs under the recorded id, which may belong to another one by now. Its program does not tell: Debian's
     * redis-server is a link to a program of another name.
     */
    boolean isProcessRunning() throws IOException {
        try {
            long pid = Long.parseLong(Files.readString(folder.resolve("embedded-redis.pid"), UTF_8)
                    .strip());
            return ProcessHandle.of(pid).isPresent();
        } catch (NoSuchFileException | NumberFormatException noneOrDamaged) {
            return false;
        }
    }

    /**
     * Locked, shared, by every process that uses the server. An exclusive lock on it proves that no process does. Modified at the
     * time of the last use.
     */
    Path inUseLock() {
        return folder.resolve("in-use.lock");
    }

    /**
     * Sets the time of the last use, by a process that has a lock on {@link #inUseLock}. Through its own channel: whenever a process closes any
     * other descriptor of a file, as {@link Files#setLastModifiedTime} does, the operating system drops all its locks on that file.
     */
    static void noteUse(FileLock inUse) throws IOException {
        ((FileChannel) inUse.acquiredBy()).write(ByteBuffer.wrap(new byte[1]), 0);
    }

    /** Sets the time of the last use, by a process that has no lock on {@link #inUseLock}. */
    void noteUseByOthers() throws IOException {
        Files.setLastModifiedTime(inUseLock(), FileTime.fromMillis(System.currentTimeMillis()));
    }

    /**
     * The address of the server.
     *
     * @param port the port on 127.0.0.1
     * @param password the password that the server requires
     */
    record Address(int port, String password) {}

    /** Returns the address where the server listens or last listened; empty if there is no valid configuration. */
    Optional<Address> address() throws IOException {
        Properties directives = new Properties();
        try (Reader text = Files.newBufferedReader(configuration(), UTF_8)) {
            directives.load(text);
            int port = Integer.parseInt(value(directives, "port"));
            String password = value(directives, "requirepass");
            boolean possible = port > 0 && port <= MAX_PORT && !password.isEmpty();
            return possible ? Optional.of(new Address(port, password)) : Optional.empty();
        } catch (NoSuchFileException | IllegalArgumentException noneOrDamaged) {
            return Optional.empty();
        }
    }

    private static String value(Properties directives, String name) {
        return directives.getProperty(name, "").replace("\"", "");
    }

    /** Deletes the address with its password. */
    void deleteAddress() throws IOException {
        Files.deleteIfExists(configuration());
    }

    /** Waits for the lock on a file, which is held until its channel is closed or the process ends. */
    static FileLock lock(Path file, boolean shared) throws IOException {
        return open(file).lock(0, Long.MAX_VALUE, shared);
    }

    /** Returns the exclusive lock on a file; null if another process has a lock on it. */
    static @Nullable FileLock tryLock(Path file) throws IOException {
        FileChannel channel = open(file);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
        }
        return lock;
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
}
