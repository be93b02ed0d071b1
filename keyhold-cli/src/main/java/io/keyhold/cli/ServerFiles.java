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
 * What the user's own server keeps in the user's cache folder; nobody else may read it. The server's configuration is also
 * the note that tells other calls where it listens and by which password: there is no second file that could disagree.
 *
 * @param folder where everything is
 */
record ServerFiles(Path folder) {

    private static final FileAttribute<?> FOR_OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> FOLDER_FOR_OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final int MAX_PORT = 65_535;
    private static final String PORT = "port ";
    private static final String PASSWORD = "requirepass ";

    /** Those of this user: below KEYHOLD_HOME if that is set, else below the folder where caches belong. */
    static ServerFiles ofThisUser() throws IOException {
        ServerFiles files = new ServerFiles(home().resolve("server"));
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
        Optional<Path> caches = EmbeddedRedis.cacheFolder();
        if (caches.isEmpty()) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "the server of your own: there is no folder for it, as this user has no home; set HOME or"
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

    /** Held by whoever starts or stops the server. */
    Path startLock() {
        return folder.resolve("start.lock");
    }

    /** Shared by all who use the server, for as long as they live; whoever can have it alone knows that nobody does. */
    Path presenceLock() {
        return folder.resolve("presence.lock");
    }

    /** Its time is that of the last use. */
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
     * Where the server listens.
     *
     * @param port on 127.0.0.1
     * @param password what it asks for
     */
    record Address(int port, String password) {}

    /** Where the server listens, or did when it last ran; empty if there is no note, or one that cannot be understood. */
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

    /** A password is not kept longer than somebody may come back with it. */
    void forgetAddress() throws IOException {
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
     * Writes the configuration of a server that is to listen there. Replaced as a whole, so that nobody reads half of it.
     *
     * <p>Every change is written to a file before it is answered (though not forced to the disk), so that a server that
     * crashes and is started again still knows who holds what: else the next to come could get a lock whose holder is at
     * work. A crash of the machine ends all holders with it, as nobody else can reach this server. Forcing it every second
     * (everysec) would be less: while that is under way, the server answers first and writes later.
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
