package io.keyhold.junit;

/** The assertions, on a server. */
@KeyholdTest(LockPlace.REDIS)
final class KeyholdAssertOnRedisTest extends KeyholdAssertTest {}
