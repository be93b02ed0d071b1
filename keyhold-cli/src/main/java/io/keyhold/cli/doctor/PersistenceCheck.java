package io.keyhold.cli.doctor;

import java.util.Optional;

/** What a restart of the server does to locks that are held. */
final class PersistenceCheck implements Check {

    private final Server server;
    private final Purpose purpose;

    /** Of a server for this purpose, which decides what it may forget. */
    PersistenceCheck(Server server, Purpose purpose) {
        this.server = server;
        this.purpose = purpose;
    }

    @Override
    public String name() {
        return "persistence";
    }

    @Override
    public Finding examine() {
        boolean appends = server.infoNumber("aof_enabled") == 1;
        Optional<String> save = server.setting("save");
        boolean failing = !server.info("aof_last_write_status").orElse("ok").equals("ok")
                || (!server.info("rdb_last_bgsave_status").orElse("ok").equals("ok")
                        && !save.orElse("").isEmpty()
                        && server.setting("stop-writes-on-bgsave-error")
                                .orElse("yes")
                                .equals("yes"));
        if (failing) {
            return Finding.fail(
                    this,
                    "the server cannot write its data to the disk",
                    "As long as it cannot, it refuses to grant locks (MISCONF).",
                    "Make room on the disk, or mend its permissions; the server's log says which.");
        }
        if (appends) {
            return appending(server.setting("appendfsync").orElse("not known"));
        }
        return purpose == Purpose.NODE ? Finding.ok(this, "none, which a quorum does not need") : forgetful(save);
    }

    private Finding appending(String sync) {
        String seen = "appendonly yes, appendfsync " + sync;
        return sync.equals("no") && purpose != Purpose.OWN
                ? Finding.warn(
                        this,
                        seen,
                        "A crash of the machine may forget the locks of the last half minute, which are then granted again.",
                        "Set appendfsync everysec or always.")
                : Finding.ok(this, seen);
    }

    private Finding forgetful(Optional<String> save) {
        String snapshots = save.map(rule -> rule.isEmpty() ? ", no snapshots" : ", snapshots only (save " + rule + ")")
                .orElse(", snapshots not known");
        return Finding.warn(
                this,
                "appendonly no" + snapshots,
                "A restart forgets locks that are held, and they are granted again; the first holder hears of it at its"
                        + " next renewal.",
                "Set appendonly yes (appendfsync everysec or always), check fencing tokens at the resource, or use a quorum.");
    }
}
