package io.keyhold.jedis;

import io.keyhold.spi.CallLane;
import redis.clients.jedis.Connection;

/**
 * A connection that is lent, until it is given back or discarded.
 *
 * @param lane on whose account it is lent
 * @param generation how often the connections of its source had been dropped when it was opened
 */
record Loan(Connection connection, CallLane lane, int generation) {}
