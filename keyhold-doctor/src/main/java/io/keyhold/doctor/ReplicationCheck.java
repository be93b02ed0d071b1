package io.keyhold.doctor;

import java.util.Optional;

/** Finds replicas. Redis replies before its replicas have the write, so a promoted replica may not have a lock, and grants it again. */
final class ReplicationCheck extends ServerCheck {

    ReplicationCheck(Server server) {
        super("replication", server);
    }

    @Override
    Finding run() {
        long replicas = server.infoNumber("connected_slaves");
        Optional<String> needed = server.setting("min-replicas-to-write");
        if (replicas == 0 && needed.orElse("0").equals("0")) {
            return ok("no replicas");
        }
        String seen = replicas + (replicas == 1 ? " replica" : " replicas") + ", min-replicas-to-write "
                + needed.orElse("unknown");
        if (needed.filter(number -> Long.parseLong(number) > replicas).isPresent()) {
            return fail(
                    seen,
                    "With fewer replicas than min-replicas-to-write the server refuses to grant locks (NOREPLICAS).",
                    "Restart the missing replicas, or lower min-replicas-to-write.");
        }
        String window = needed.orElse("0").equals("0")
                ? "A master that is cut off continues to grant locks beside the promoted replica, without a time limit. "
                : "";
        return warn(
                seen,
                "Redis replies before it replicates: a promoted replica may not have a lock, and grants it again. "
                        + window + "The first holder learns of it at its next renewal.",
                (window.isEmpty() ? "" : "Set min-replicas-to-write 1 and a small min-replicas-max-lag. ")
                        + "Check fencing tokens at the resource, or use a quorum of independent servers.");
    }
}
