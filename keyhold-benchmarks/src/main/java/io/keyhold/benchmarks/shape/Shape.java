package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.contender.Primitive;
import java.time.Duration;
import java.util.Optional;

/** A situation in which locks are measured. */
public interface Shape {

    /** As it is typed on the command line. */
    String id();

    /** For people: one line. */
    String title();

    /** For people: what happens, and what is timed. */
    String description();

    /** What it is about. */
    Metric metric();

    /** What is taken. Only those contenders that offer it take part. */
    default Primitive primitive() {
        return Primitive.LOCK;
    }

    /** On how many servers. More than one are started for this shape alone. */
    default int servers() {
        return primitive() == Primitive.QUORUM_LOCK ? 5 : 1;
    }

    /** How many JVMs a contender needs. */
    int jvms();

    /** The lease that is renewed, if the libraries' own defaults are not wanted. */
    default Optional<Duration> renewedLease() {
        return Optional.empty();
    }

    /** Why this contender does not take part, if so. */
    default Optional<String> skips(Entrant entrant) {
        return Optional.empty();
    }

    /** How long a contender takes, about, to get ready for the warm-up. */
    default Duration preparation() {
        return Duration.ZERO;
    }

    /** What this shape makes of the wish. */
    default Effort effort(Effort wish) {
        return wish;
    }

    /** Runs without measuring. */
    void warmUp(Team team, Duration time) throws InterruptedException;

    /** Runs one round. */
    Measurement measure(Team team, Duration time) throws InterruptedException;
}
