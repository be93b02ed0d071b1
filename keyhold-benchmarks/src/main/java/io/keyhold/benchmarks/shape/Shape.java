package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Entrant;
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

    /** What this shape makes of the wish. */
    default Effort effort(Effort wish) {
        return wish;
    }

    /** Runs without measuring. */
    void warmUp(Team team, Duration time) throws InterruptedException;

    /** Runs one round. */
    Measurement measure(Team team, Duration time) throws InterruptedException;
}
