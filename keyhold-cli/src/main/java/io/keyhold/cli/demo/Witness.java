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
 * Knows who is inside without asking Redis or the workers: whoever is inside has one of a few places locked in a file, which
 * the operating system gives to one process at a time, and takes back from a dead one at once. Who finds no place is one too
 * many.
 */
final class Witness implements Closeable {

    private final Prize prize;

    /** Open as long as the process: closing one channel of a file would give up all of the process's locks in it. */
    private final FileChannel file;

    Witness(Path folder, Prize prize) throws IOException {
        this.prize = prize;
        this.file = FileChannel.open(folder.resolve(prize.word()), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** A place, if there is one. */
    Optional<FileLock> place() {
        try {
            for (int i = 0; i < prize.places(); i++) {
                FileLock lock = place(i);
                if (lock != null) {
                    return Optional.of(lock);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable FileLock place(int number) throws IOException {
        try {
            return file.tryLock(number, 1, false);
        } catch (OverlappingFileLockException ours) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
