package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.contender.ReadWritePair;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * What the threads of a loop take.
 *
 * @param primitive its kind
 * @param number the permits of a semaphore, the per cent of reads of a read/write lock, the locks that are taken at once
 */
public record Target(Primitive primitive, int number) {

    /** A lock. */
    public static final Target LOCK = new Target(Primitive.LOCK, 1);

    /** A lock on a quorum. */
    public static final Target QUORUM_LOCK = new Target(Primitive.QUORUM_LOCK, 1);

    /** More threads than will ever be: how many may be inside a read/write lock, and so what a writer counts. */
    private static final int MANY = 1_000_000;

    /** One permit of a semaphore with so many. */
    public static Target semaphore(int permits) {
        return new Target(Primitive.SEMAPHORE, permits);
    }

    /** A read/write lock, so many times in a hundred for reading. */
    public static Target readWrite(int percentReads) {
        return new Target(Primitive.READ_WRITE, percentReads);
    }

    /** So many locks at once. */
    public static Target allOf(int locks) {
        return new Target(Primitive.ALL_OF, locks);
    }

    /** How many may be inside at once. */
    int capacity() {
        return switch (primitive) {
            case LOCK, ALL_OF, QUORUM_LOCK -> 1;
            case SEMAPHORE -> number;
            case READ_WRITE -> MANY;
        };
    }

    /** Answers the way in for each hold of one thread. Which ones read is the same in every round, and for all contenders. */
    Supplier<Entrance> entrances(Contender contender, String key, int thread) {
        return switch (primitive) {
            case LOCK, QUORUM_LOCK -> always(new Entrance(contender.lock(key), 1));
            case SEMAPHORE -> always(new Entrance(contender.semaphore(key, number), 1));
            case ALL_OF -> always(new Entrance(contender.allOf(parts(key)), 1));
            case READ_WRITE -> readsAndWrites(contender.readWriteLock(key), new SplittableRandom(thread));
        };
    }

    private static Supplier<Entrance> always(Entrance entrance) {
        return () -> entrance;
    }

    private Supplier<Entrance> readsAndWrites(ReadWritePair lock, SplittableRandom random) {
        Entrance read = new Entrance(lock.read(), 1);
        Entrance write = new Entrance(lock.write(), MANY);
        return () -> random.nextInt(100) < number ? read : write;
    }

    private List<String> parts(String key) {
        return IntStream.range(0, number).mapToObj(part -> key + ":" + part).toList();
    }
}
