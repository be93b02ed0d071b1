package io.keyhold.lettuce;

import java.time.Duration;

/**
 * The server as messages name it, and how long to wait for it.
 *
 * @param address host and port, or the path of a socket
 * @param connectTimeout for opening a connection, with all that belongs to it
 * @param commandTimeout for a reply
 */
record Endpoint(String address, Duration connectTimeout, Duration commandTimeout) {}
