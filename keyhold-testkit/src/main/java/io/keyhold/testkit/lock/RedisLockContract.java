package io.keyhold.testkit.lock;

/** The contract of locks on a real Redis server, for one driver and one kind of commands. */
public abstract class RedisLockContract extends RedisStoreUnderTest implements LockContract {

    /** For subclasses. */
    protected RedisLockContract() {}
}
