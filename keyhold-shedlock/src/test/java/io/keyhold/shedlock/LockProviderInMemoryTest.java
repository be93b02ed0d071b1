package io.keyhold.shedlock;

import io.keyhold.junit.KeyholdTest;

/** ShedLock's tests, in memory. */
@KeyholdTest
final class LockProviderInMemoryTest extends ShedLockSuite {}
