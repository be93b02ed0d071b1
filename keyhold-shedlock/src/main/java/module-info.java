/** Keyhold as a lock provider of ShedLock. */
module io.keyhold.shedlock {
    requires transitive io.keyhold;
    requires transitive net.javacrumbs.shedlock.core;
    requires static org.jspecify;

    exports io.keyhold.shedlock;
}
