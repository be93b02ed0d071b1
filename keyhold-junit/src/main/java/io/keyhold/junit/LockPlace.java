package io.keyhold.junit;

/** Where the locks of a test live. */
public enum LockPlace {
    /** Inside the JVM. Leases end by the {@link TestClock}. */
    MEMORY,
    /**
     * On a Redis server that is started for the test. Needs {@code keyhold-embedded} and a driver, such as {@code keyhold-jedis}, on the class path. The
     * {@link TestClock} moves only what the clients see: the server has its own clock.
     */
    REDIS
}
