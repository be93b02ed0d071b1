package io.keyhold.shedlock;

import io.keyhold.junit.KeyholdTest;
import org.junit.jupiter.api.Tag;

/** ShedLock's tests, in memory. */
@KeyholdTest
@Tag("full")
final class LockProviderInMemoryTest extends ShedLockSuite {}
