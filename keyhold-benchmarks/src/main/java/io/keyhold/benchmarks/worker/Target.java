package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.LockClient;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.contender.ReadWriteHandles;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * What the threads of a loop acquire.
 *
 * @param primitive its kind
 * @param number the permits of a semaphore, the percentage of reads of a read/write lock, or the number of locks acquired at once
 */
public record Target(Primitive primitive, int number) {

    /** A lock. */
    public static final Target LOCK = new Target(Primitive.LOCK, 1);

    /** A lock on a quorum. */
    public static final Target QUORUM_LOCK = new Target(Primitive.QUORUM_LOCK, 1);

    /** A lock on a master with replicas. */
    public static final Target REPLICATED_LOCK = new Target(Primitive.REPLICATED_LOCK, 1);

    /** The capacity of a read/write lock, which a writer uses up: more than there are threads. */
    private static final int MANY = 1_000_000;

    /** Returns one permit of a semaphore with this many. */
    public static Target semaphore(int permits) {
        return new Target(Primitive.SEMAPHORE, permits);
    }

    /** Returns a read/write lock with this percentage of reads. */
    public static Target readWrite(int percentReads) {
        return new Target(Primitive.READ_WRITE, percentReads);
    }

    /** Returns this many locks at once. */
    public static Target allOf(int locks) {
        return new Target(Primitive.ALL_OF, locks);
    }

    /** Returns how many holders are allowed at once. */
    int capacity() {
        return switch (primitive) {
            case LOCK, ALL_OF, QUORUM_LOCK, REPLICATED_LOCK -> 1;
            case SEMAPHORE -> number;
            case READ_WRITE -> MANY;
        };
    }

    /** Returns the handles for the holds of one thread. Which of them read is the same in every round, for all contenders. */
    Supplier<WeightedHandle> handles(LockClient client, String key, int thread) {
        return switch (primitive) {
            case LOCK, QUORUM_LOCK, REPLICATED_LOCK -> always(new WeightedHandle(client.lock(key), 1));
            case SEMAPHORE -> always(new WeightedHandle(client.semaphore(key, number), 1));
            case ALL_OF -> always(new WeightedHandle(client.allOf(parts(key)), 1));
            case READ_WRITE -> readsAndWrites(client.readWriteLock(key), new SplittableRandom(thread));
        };
    }

    private static Supplier<WeightedHandle> always(WeightedHandle handle) {
        return () -> handle;
    }

    private Supplier<WeightedHandle> readsAndWrites(ReadWriteHandles lock, SplittableRandom random) {
        WeightedHandle read = new WeightedHandle(lock.read(), 1);
        WeightedHandle write = new WeightedHandle(lock.write(), MANY);
        return () -> random.nextInt(100) < number ? read : write;
    }

    private List<String> parts(String key) {
        return IntStream.range(0, number).mapToObj(part -> key + ":" + part).toList();
    }
}
