package io.keyhold.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Copies executables out of jars, once for all processes that share a directory. */
final class ExecutableCache {
    private static @Nullable Path ofThisProcess;

    private ExecutableCache() {}

    /**
     * The file with the resource's content.
     *
     * <p>Inside one JVM one thread copies and the others wait. They would otherwise start processes meanwhile, these
     * would inherit the file that is being written, and until they let go of it the system would refuse to run it ("text
     * file busy").
     */
    static synchronized Path file(URL resource, Path target) throws IOException {
        copyUnlessComplete(resource, target);
        if (!ServerFinder.isExecutable(target)) {
            throw new IOException("programs cannot be run from " + target.getParent() + " (mounted noexec?)");
        }
        return target;
    }

    /**
     * Several processes may do this at once: each writes its own file and then renames it, so that no process runs half
     * an executable, and a running server keeps the file it was started from.
     */
    static void copyUnlessComplete(URL resource, Path target) throws IOException {
        URLConnection connection = resource.openConnection();
        // A cached connection would share, and on close() take away, the jar that the class loader reads from.
        connection.setUseCaches(false);
        try (InputStream content = connection.getInputStream()) {
            if (!isComplete(target, connection.getContentLengthLong())) {
                replace(target, content);
            }
        }
    }

    private static boolean isComplete(Path target, long size) throws IOException {
        return ServerFinder.isExecutable(target) && Files.size(target) == size;
    }

    private static void replace(Path target, InputStream content) throws IOException {
        Files.createDirectories(target.getParent());
        Path copy = Files.createTempFile(target.getParent(), "incoming-", ".tmp");
        try {
            Files.copy(content, copy, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
            Files.move(copy, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /** A directory for the executables of this JVM only, which no other user can write to. */
    static synchronized Path ofThisProcess() throws IOException {
        Path directory = ofThisProcess;
        if (directory == null) {
            directory = Files.createTempDirectory("keyhold-embedded-");
            directory.toFile().deleteOnExit();
            ofThisProcess = directory;
        }
        return directory;
    }
}
