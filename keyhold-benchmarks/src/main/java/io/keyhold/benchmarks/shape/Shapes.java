package io.keyhold.benchmarks.shape;

import java.util.List;
import java.util.stream.Collectors;

/** All the shapes, in the order in which they run. */
public final class Shapes {
    private static final List<Shape> ALL = List.of(
            new OwnKeyAlone(),
            new OwnKeysOfMany(),
            new OneKeyInOneJvm(),
            new OneKeyInThreeJvms(),
            new TwoHundredWaiters(),
            new HandOver(),
            new TenThousandHeld(),
            new ContendedSemaphore(Crowd.IN_ONE_JVM),
            new ContendedSemaphore(Crowd.IN_THREE_JVMS),
            new ReadersAndWriters(90, Crowd.IN_ONE_JVM),
            new ReadersAndWriters(90, Crowd.IN_THREE_JVMS),
            new ReadersAndWriters(50, Crowd.IN_ONE_JVM),
            new ReadersAndWriters(50, Crowd.IN_THREE_JVMS),
            new ThreeKeysAtOnce(1),
            new ThreeKeysAtOnce(8),
            new AmongHolders(),
            new QuorumAlone(),
            new QuorumInThreeJvms(),
            new QuorumOneStopped());

    private Shapes() {}

    /** All of them. */
    public static List<Shape> all() {
        return ALL;
    }

    /** The one with this id. */
    public static Shape of(String id) {
        return ALL.stream()
                .filter(shape -> shape.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("shape \"" + id + "\": must be one of "
                        + ALL.stream().map(Shape::id).collect(Collectors.joining(", "))));
    }
}
