package io.keyhold.doctor;

import io.keyhold.Keyhold;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The servers to check, and how to reach them.
 *
 * @param servers the URI, or those of the nodes of a quorum
 * @param local whether this is a private server that only this machine reaches: it may lose what a crash of the machine ends anyway
 * @param drivers opens a driver for a URI of a single server; the doctor closes it
 * @param client opens a client of all these servers; the doctor closes it
 */
public record DoctorTarget(
        List<RedisUri> servers, boolean local, Function<RedisUri, RedisDriver> drivers, Supplier<Keyhold> client) {

    /** Copies the URIs. */
    public DoctorTarget {
        servers = List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("servers must not be empty");
        }
        Objects.requireNonNull(drivers, "drivers must not be null");
        Objects.requireNonNull(client, "client must not be null");
    }
}
