package io.keyhold.doctor;

import java.util.Optional;

/** Whether held locks survive a restart of the server. */
final class PersistenceCheck extends ServerCheck {

    private final Deployment deployment;

    /** The deployment decides which data the server may lose. */
    PersistenceCheck(Server server, Deployment deployment) {
        super("persistence", server);
        this.deployment = deployment;
    }

    @Override
    Finding run() {
        boolean appends = server.infoNumber("aof_enabled") == 1;
        Optional<String> save = server.setting("save");
        boolean failing = !server.info("aof_last_write_status").orElse("ok").equals("ok")
                || (!server.info("rdb_last_bgsave_status").orElse("ok").equals("ok")
                        && !save.orElse("").isEmpty()
                        && server.setting("stop-writes-on-bgsave-error")
                                .orElse("yes")
                                .equals("yes"));
        if (failing) {
            return fail(
                    "the server cannot write to its disk",
                    "Until it can, it refuses to grant locks (MISCONF).",
                    "Free space on the disk, or correct its permissions; the server's log has the reason.");
        }
        if (appends) {
            return appending(server.setting("appendfsync").orElse("unknown"));
        }
        return deployment == Deployment.QUORUM_NODE ? ok("none; a quorum does not need it") : notAppending(save);
    }

    private Finding appending(String sync) {
        String seen = "appendonly yes, appendfsync " + sync;
        return sync.equals("no") && deployment != Deployment.LOCAL
                ? warn(
                        seen,
                        "A crash of the machine may lose the locks of the last half minute, and the server grants them again.",
                        "Set appendfsync everysec or always.")
                : ok(seen);
    }

    private Finding notAppending(Optional<String> save) {
        String snapshots = save.map(rule -> rule.isEmpty() ? ", no snapshots" : ", snapshots only (save " + rule + ")")
                .orElse(", snapshots unknown");
        return warn(
                "appendonly no" + snapshots,
                "A restart loses held locks, and the server grants them again; the first holder learns of it at its next"
                        + " renewal.",
                "Set appendonly yes (appendfsync everysec or always), check fencing tokens at the resource, or use a quorum.");
    }
}
