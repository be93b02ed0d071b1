package io.keyhold.testkit.lock;

/** The contract, inside one JVM. */
class InMemoryLockTest extends InMemoryStore implements LockContract, QueueContract, LocalPassContract {}
