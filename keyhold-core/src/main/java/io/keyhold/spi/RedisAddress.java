package io.keyhold.spi;

import java.util.Objects;

/**
 * Where a server listens.
 *
 * @param host a name or an address, without the brackets of an IPv6 address
 * @param port the TCP port
 */
public record RedisAddress(String host, int port) {

    /** Checks that there is a host. */
    public RedisAddress {
        Objects.requireNonNull(host, "host must not be null");
    }

    /** {@return {@code host:port}, an IPv6 address in brackets} */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
