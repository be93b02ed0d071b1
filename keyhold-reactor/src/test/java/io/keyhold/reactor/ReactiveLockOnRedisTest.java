package io.keyhold.reactor;

import io.keyhold.junit.KeyholdTest;
import io.keyhold.junit.LockPlace;

/** The same on a server. */
@KeyholdTest(LockPlace.REDIS)
final class ReactiveLockOnRedisTest extends ReactiveLockTest {}
