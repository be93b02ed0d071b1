package io.keyhold.doctor;

/** Finds an eviction policy that may drop held locks: any but {@code noeviction}, because a lock has an expiry. */
final class EvictionCheck implements Check {

    private static final String NO_EVICTION = "noeviction";

    private final Server server;

    EvictionCheck(Server server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "eviction";
    }

    @Override
    public Finding run() {
        String policy = server.info("maxmemory_policy").orElse("unknown");
        boolean limited = server.infoNumber("maxmemory") > 0;
        String seen = "maxmemory-policy " + policy
                + (limited ? " with maxmemory " + server.info("maxmemory_human").orElse("?") : " without maxmemory");
        if (policy.equals(NO_EVICTION) || !limited) {
            return Finding.ok(this, seen);
        }
        return Finding.fail(
                this,
                seen,
                "When memory runs short the server may drop a held lock, and a second client can acquire it.",
                "CONFIG SET maxmemory-policy noeviction, and the same in redis.conf; or use separate servers for locks and caches.");
    }
}
