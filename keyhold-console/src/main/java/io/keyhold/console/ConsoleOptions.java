package io.keyhold.console;

import io.keyhold.doctor.Diagnosis;
import io.keyhold.spi.RedisDriver;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the console shows and allows. Immutable. */
public final class ConsoleOptions {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    final String target;
    final String topology;
    final boolean embedded;
    final @Nullable String notice;
    final boolean allowRelease;
    final Duration interval;
    final Optional<Supplier<Diagnosis>> doctor;
    final Optional<RedisDriver> events;
    final String eventKey;
    final Consumer<String> audit;

    private ConsoleOptions(Builder builder) {
        this.target = builder.target;
        this.topology = builder.topology;
        this.embedded = builder.embedded;
        this.notice = builder.notice;
        this.allowRelease = builder.allowRelease;
        this.interval = builder.interval;
        this.doctor = Optional.ofNullable(builder.doctor);
        this.events = Optional.ofNullable(builder.events);
        this.eventKey = builder.eventKey;
        this.audit = builder.audit;
    }

    /** Returns a builder with the defaults: read-only, a sample every half second, no doctor and no events. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds options. */
    public static final class Builder {

        private String target = "";
        private String topology = "single";
        private boolean embedded;
        private @Nullable String notice;
        private boolean allowRelease;
        private Duration interval = Duration.ofMillis(500);
        private @Nullable Supplier<Diagnosis> doctor;
        private @Nullable RedisDriver events;
        private String eventKey = EventStreamListener.DEFAULT_KEY;
        private Consumer<String> audit = line -> {};

        private Builder() {}

        /** Sets the name of the server that the page shows: a URI without a password. */
        public Builder target(String target) {
            this.target = Objects.requireNonNull(target, "target must not be null");
            return this;
        }

        /** Sets the topology that the page shows: single, sentinel, cluster, quorum or memory. Default: single. */
        public Builder topology(String topology) {
            this.topology = Objects.requireNonNull(topology, "topology must not be null");
            return this;
        }

        /** Sets whether this is a private server that was started for the console. */
        public Builder embedded(boolean embedded) {
            this.embedded = embedded;
            return this;
        }

        /** Sets a line that the page shows to all. */
        public Builder notice(String notice) {
            this.notice = Objects.requireNonNull(notice, "notice must not be null");
            return this;
        }

        /** Sets whether the page may release locks by force. Default: it may not. */
        public Builder allowRelease(boolean allowRelease) {
            this.allowRelease = allowRelease;
            return this;
        }

        /** Sets the time between two samples. Samples that take long are made less often. Default: half a second. */
        public Builder sampleInterval(Duration interval) {
            if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
                throw new IllegalArgumentException(
                        "sampleInterval must be at least " + SHORTEST_INTERVAL + ", was " + interval);
            }
            this.interval = interval;
            return this;
        }

        /** Sets how to check the servers. Runs on a thread of its own, at most once a minute. */
        public Builder doctor(Supplier<Diagnosis> doctor) {
            this.doctor = Objects.requireNonNull(doctor, "doctor must not be null");
            return this;
        }

        /** Sets the server with the event stream ({@link EventStreamListener}). The console does not close the driver. */
        public Builder events(RedisDriver driver) {
            this.events = Objects.requireNonNull(driver, "driver must not be null");
            return this;
        }

        /** Sets the key of the event stream. */
        public Builder eventKey(String key) {
            this.eventKey = Objects.requireNonNull(key, "key must not be null");
            return this;
        }

        /** Sets what gets a line for each release by force, beside the log. */
        public Builder audit(Consumer<String> audit) {
            this.audit = Objects.requireNonNull(audit, "audit must not be null");
            return this;
        }

        /** Builds the options. */
        public ConsoleOptions build() {
            return new ConsoleOptions(this);
        }
    }
}
