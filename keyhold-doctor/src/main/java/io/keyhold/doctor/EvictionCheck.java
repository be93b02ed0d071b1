package io.keyhold.doctor;

/** Finds an eviction policy that may drop held locks: any but {@code noeviction}, because a lock has an expiry. */
final class EvictionCheck extends ServerCheck {

    private static final String NO_EVICTION = "noeviction";

    EvictionCheck(Server server) {
        super("eviction", server);
    }

    @Override
    Finding run() {
        String policy = server.info("maxmemory_policy").orElse("unknown");
        boolean limited = server.infoNumber("maxmemory") > 0;
        String seen = "maxmemory-policy " + policy
                + (limited ? " with maxmemory " + server.info("maxmemory_human").orElse("?") : " without maxmemory");
        if (policy.equals(NO_EVICTION) || !limited) {
            return ok(seen);
        }
        return fail(
                seen,
                "When memory runs short the server may drop a held lock, and a second client can acquire it.",
                "CONFIG SET maxmemory-policy noeviction, and the same in redis.conf; or use separate servers for locks and caches.");
    }
}
