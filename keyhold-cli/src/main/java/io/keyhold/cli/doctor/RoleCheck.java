package io.keyhold.cli.doctor;

/** Whether the server is a master, and not part of a cluster. */
final class RoleCheck implements Check {

    private final Server server;

    RoleCheck(Server server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "role";
    }

    @Override
    public Finding run() {
        String role = server.info("role").orElse("unknown");
        String mode = server.info("redis_mode").orElse("standalone");
        if (!role.equals("master")) {
            return Finding.fail(
                    this,
                    role.equals("slave") ? "a replica" : role,
                    "A replica is read-only, so it grants no locks.",
                    "Use the master"
                            + server.info("master_host")
                                    .map(host -> " " + host + ":"
                                            + server.info("master_port").orElse("?"))
                                    .orElse("")
                            + ".");
        }
        if (server.infoNumber("loading") != 0) {
            return Finding.fail(
                    this,
                    "a master that is loading its data",
                    "It grants no locks until its data is loaded.",
                    "Run the doctor again later.");
        }
        if (!mode.equals("standalone")) {
            return Finding.warn(
                    this,
                    "a master in " + mode + " mode",
                    "Keyhold does not follow MOVED: locks in slots of other nodes fail.",
                    "Use a separate server for locks, outside of the cluster.");
        }
        return Finding.ok(this, "a master");
    }
}
