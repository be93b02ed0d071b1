package io.keyhold.doctor;

/** Finds a server that is out of memory and refuses to grant locks. */
final class MemoryCheck extends ServerCheck {

    /** Percent of maxmemory. */
    private static final int NEARLY_FULL = 90;

    MemoryCheck(Server server) {
        super("memory", server);
    }

    @Override
    Finding run() {
        long limit = server.infoNumber("maxmemory");
        long used = server.infoNumber("used_memory");
        String usedText = server.info("used_memory_human").orElse("?") + " used";
        if (limit == 0) {
            return ok(usedText + ", no limit");
        }
        String seen = usedText + " of " + server.info("maxmemory_human").orElse("?");
        if (used >= limit) {
            return fail(
                    seen,
                    "The server refuses to grant locks (OOM); locks that are held stay held.",
                    "Raise maxmemory, or remove data.");
        }
        if (used >= limit / 100 * NEARLY_FULL) {
            return warn(
                    seen,
                    "Once the limit is reached, the server refuses to grant locks (OOM).",
                    "Raise maxmemory, or remove data.");
        }
        return ok(seen);
    }
}
