package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.Primitive;
import java.time.Duration;
import java.util.Optional;

/** A situation in which locks are measured. */
public interface Shape {

    /** Returns the name on the command line. */
    String id();

    /** Returns the heading in the report. */
    String title();

    /** Describes what happens and what is timed. */
    String description();

    /** Returns the number that the shape is about. */
    Metric metric();

    /** Returns what is acquired. Only contenders that offer it take part. */
    default Primitive primitive() {
        return Primitive.LOCK;
    }

    /** Returns how many servers are needed. More than one are started for this shape alone. */
    default int servers() {
        return primitive() == Primitive.QUORUM_LOCK ? 5 : 1;
    }

    /** Returns whether the server has replicas, for which it is started. */
    default boolean replicated() {
        return primitive() == Primitive.REPLICATED_LOCK;
    }

    /** Returns how many JVMs a contender needs. */
    int jvms();

    /** Returns the lease that is renewed; empty for the library's default. */
    default Optional<Duration> renewedLease() {
        return Optional.empty();
    }

    /** Returns why this contender does not take part, if it does not. */
    default Optional<String> exclusion(Contender contender) {
        return Optional.empty();
    }

    /** Returns about how long a contender prepares before its warm-up. */
    default Duration preparation() {
        return Duration.ZERO;
    }

    /** Returns the effort that this shape makes of the requested one. */
    default Effort effort(Effort requested) {
        return requested;
    }

    /** Runs without measuring. */
    void warmUp(Workers workers, Duration time) throws InterruptedException;

    /** Runs one round. */
    Measurement measure(Workers workers, Duration time) throws InterruptedException;
}
