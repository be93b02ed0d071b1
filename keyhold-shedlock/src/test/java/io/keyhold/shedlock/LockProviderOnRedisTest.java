package io.keyhold.shedlock;

import io.keyhold.junit.KeyholdTest;
import io.keyhold.junit.LockPlace;

/** ShedLock's tests, on a server. */
@KeyholdTest(LockPlace.REDIS)
final class LockProviderOnRedisTest extends ShedLockSuite {}
