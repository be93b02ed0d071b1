package io.keyhold.benchmarks.shape;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All shapes, in the order in which they run. */
public final class Shapes {
    private static final Pattern RENEWAL = Pattern.compile("renewal-([1-9][0-9]{0,6})");

    private static final List<Shape> ALL = List.of(
            LoopShapes.ownKeys(1),
            LoopShapes.ownKeys(8),
            LoopShapes.ownKeys(32),
            LoopShapes.oneKey(8, 1),
            LoopShapes.oneKey(4, 3),
            LoopShapes.oneKey(50, 4),
            new HandOver(),
            RenewedLeases.ofAllLibraries(),
            RenewedLeases.ofKeyhold(100_000),
            LoopShapes.semaphore(8, 1),
            LoopShapes.semaphore(4, 3),
            LoopShapes.readWrite(90, 8, 1),
            LoopShapes.readWrite(90, 4, 3),
            LoopShapes.readWrite(50, 8, 1),
            LoopShapes.readWrite(50, 4, 3),
            LoopShapes.threeKeys(1),
            LoopShapes.threeKeys(8),
            new SemaphoreHolders(),
            LoopShapes.replicatedOwnKeys(1),
            LoopShapes.replicatedOwnKeys(8),
            LoopShapes.quorumOwnKey(),
            LoopShapes.quorumOneKey(4, 3),
            new QuorumNodeStopped());

    private Shapes() {}

    /** Returns all shapes; a quick run has fewer leases to renew. */
    public static List<Shape> all(boolean quick) {
        return ALL.stream()
                .map(shape -> quick && shape.id().equals("renewal-100000") ? RenewedLeases.ofKeyhold(10_000) : shape)
                .toList();
    }

    /** Returns the shape with this id. */
    public static Shape of(String id) {
        Matcher renewal = RENEWAL.matcher(id);
        if (renewal.matches()) {
            return RenewedLeases.ofKeyhold(Integer.parseInt(renewal.group(1)));
        }
        return ALL.stream()
                .filter(shape -> shape.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("shape must be one of "
                        + ALL.stream().map(Shape::id).collect(Collectors.joining(", ")) + ", was '" + id + "'"));
    }
}
