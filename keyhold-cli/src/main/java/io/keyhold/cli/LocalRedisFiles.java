package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * The files of the private Redis server, in the user's cache directory; only the user may read them. Other calls find its port
 * and password in the server's configuration, so no second file can disagree with it.
 *
 * @param folder the directory of all files
 */
record LocalRedisFiles(Path folder) {

    private static final FileAttribute<?> FOR_OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> FOLDER_FOR_OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final int MAX_PORT = 65_535;
    private static final String PORT = "port ";
    private static final String PASSWORD = "requirepass ";

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
        Optional<Path> caches = EmbeddedRedis.cacheDirectory();
        if (caches.isEmpty()) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "the private Redis server: no directory for its files, because this user has no home directory; set HOME or"
                            + " XDG_CACHE_HOME to an absolute path, or KEYHOLD_HOME");
        }
        return caches.get();
    }

    Path configuration() {
        return folder.resolve("redis.conf");
    }

    Path log() {
        return folder.resolve("redis.log");
    }

    Path pid() {
        return folder.resolve("redis.pid");
    }

    /** Locked by the call that starts or stops the server. */
    Path startLock() {
        return folder.resolve("start.lock");
    }

    /** Locked, shared, by every process that uses the server. An exclusive lock on it proves that no process does. */
    Path inUseLock() {
        return folder.resolve("in-use.lock");
    }

    /** Modified at the time of the last use. */
    Path used() {
        return folder.resolve("used");
    }

    void noteUse() throws IOException {
        try {
            Files.setLastModifiedTime(used(), FileTime.fromMillis(System.currentTimeMillis()));
        } catch (NoSuchFileException first) {
            Files.write(used(), new byte[0]);
        }
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
        String text;
        try {
            text = Files.readString(configuration(), UTF_8);
        } catch (NoSuchFileException never) {
            return Optional.empty();
        }
        String password = value(text, PASSWORD);
        try {
            int port = Integer.parseInt(value(text, PORT));
            boolean possible = port > 0 && port <= MAX_PORT && !password.isEmpty();
            return possible ? Optional.of(new Address(port, password)) : Optional.empty();
        } catch (NumberFormatException damaged) {
            return Optional.empty();
        }
    }

    /** Deletes the address with its password. */
    void deleteAddress() throws IOException {
        Files.deleteIfExists(configuration());
    }

    private static String value(String text, String directive) {
        int line = text.startsWith(directive) ? 0 : text.indexOf("\n" + directive) + 1;
        if (line == 0 && !text.startsWith(directive)) {
            return "";
        }
        int end = text.indexOf('\n', line);
        return end < 0 ? "" : text.substring(line + directive.length(), end);
    }

    /**
     * Writes the configuration of a server at this address. The file is replaced atomically.
     *
     * <p>The server writes every change to its append-only file before it replies, but does not force it to the disk. So a server that
     * crashed and was restarted still knows all holders; otherwise it would grant a lock whose holder is at work. A crash of the
     * machine ends all holders too, because only this machine can reach the server. {@code appendfsync everysec} would be weaker:
     * while the disk is busy, the server replies first and writes later.
     */
    void write(Address address) throws IOException {
        List<String> lines = List.of(
                PORT + address.port(),
                PASSWORD + address.password(),
                "bind 127.0.0.1",
                "daemonize yes",
                "dir \"" + folder + "\"",
                "pidfile \"" + pid() + "\"",
                "logfile \"" + log() + "\"",
                "save \"\"",
                "appendonly yes",
                "appendfsync no",
                "");
        Path fresh = folder.resolve("redis.conf.new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, FOR_OWNER_ONLY);
        Files.writeString(fresh, String.join("\n", lines), UTF_8);
        Files.move(fresh, configuration(), StandardCopyOption.ATOMIC_MOVE);
    }
}
