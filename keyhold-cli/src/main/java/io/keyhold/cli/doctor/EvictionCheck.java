package io.keyhold.cli.doctor;

/** A lock has an expiry, so every eviction policy but {@code noeviction} may drop it while it is held. */
final class EvictionCheck implements Check {

    private static final String HARMLESS = "noeviction";

    private final Server server;

    EvictionCheck(Server server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "eviction";
    }

    @Override
    public Finding examine() {
        String policy = server.info("maxmemory_policy").orElse("unknown");
        boolean limited = server.infoNumber("maxmemory") > 0;
        String seen = "maxmemory-policy " + policy
                + (limited ? " with maxmemory " + server.info("maxmemory_human").orElse("?") : " without maxmemory");
        if (policy.equals(HARMLESS) || !limited) {
            return Finding.ok(this, seen);
        }
        return Finding.fail(
                this,
                seen,
                "When memory runs short the server may drop a lock that is held, and a second holder gets in.",
                "CONFIG SET maxmemory-policy noeviction, and the same in redis.conf; or keep locks apart from caches.");
    }
}
