package io.keyhold.internal.topology;

/** Where a server is. */
public record ServerAddress(String host, int port) {

    @Override
    public String toString() {
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
