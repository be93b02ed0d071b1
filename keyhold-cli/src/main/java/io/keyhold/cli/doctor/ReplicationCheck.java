package io.keyhold.cli.doctor;

import java.util.Optional;

/**
 * Redis answers before its replicas have what it wrote. A replica that is promoted meanwhile does not know of the lock, and
 * grants it again.
 */
final class ReplicationCheck implements Check {

    private final Server server;

    ReplicationCheck(Server server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "replication";
    }

    @Override
    public Finding examine() {
        long replicas = server.infoNumber("connected_slaves");
        Optional<String> needed = server.setting("min-replicas-to-write");
        if (replicas == 0 && needed.orElse("0").equals("0")) {
            return Finding.ok(this, "no replicas");
        }
        String seen = replicas + (replicas == 1 ? " replica" : " replicas") + ", min-replicas-to-write "
                + needed.orElse("not known");
        if (needed.filter(number -> Long.parseLong(number) > replicas).isPresent()) {
            return Finding.fail(
                    this,
                    seen,
                    "With fewer replicas than that the server refuses to grant locks (NOREPLICAS).",
                    "Bring the missing replicas back, or lower min-replicas-to-write.");
        }
        String window = needed.orElse("0").equals("0")
                ? "A master that is cut off goes on granting locks, for as long as it takes, beside the promoted replica. "
                : "";
        return Finding.warn(
                this,
                seen,
                "Replicas are written after the answer: one that is promoted may not know of a lock, and grants it again. "
                        + window + "The first holder hears of it at its next renewal.",
                (window.isEmpty() ? "" : "Set min-replicas-to-write 1 and a small min-replicas-max-lag. ")
                        + "Check fencing tokens at the resource, or use a quorum of independent servers.");
    }
}
