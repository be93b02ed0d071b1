package io.keyhold.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts the processes inside independently of Redis and the workers. A process that is inside locks one of a few slots of a file.
 * The operating system gives a slot to one process at a time, and frees that of a dead process at once. A process that finds no free
 * slot is one too many.
 */
final class OccupancyChecker implements Closeable {

    private final Resource resource;

    /** Stays open until the process ends: closing one channel of a file drops all locks of the process in it. */
    private final FileChannel file;

    OccupancyChecker(Path folder, Resource resource) throws IOException {
        this.resource = resource;
        this.file =
                FileChannel.open(folder.resolve(resource.label()), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Locks a slot; returns empty if none is free. */
    Optional<FileLock> occupy() {
        try {
            for (int i = 0; i < resource.limit(); i++) {
                FileLock lock = tryLock(i);
                if (lock != null) {
                    return Optional.of(lock);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable FileLock tryLock(int slot) throws IOException {
        try {
            return file.tryLock(slot, 1, false);
        } catch (OverlappingFileLockException ownSlot) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
