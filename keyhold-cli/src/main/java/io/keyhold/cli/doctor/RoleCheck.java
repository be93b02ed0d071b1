package io.keyhold.cli.doctor;

/** Locks live on a master that stands alone. */
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
    public Finding examine() {
        String role = server.info("role").orElse("unknown");
        String mode = server.info("redis_mode").orElse("standalone");
        if (!role.equals("master")) {
            return Finding.fail(
                    this,
                    role.equals("slave") ? "a replica" : role,
                    "A replica is written by its master only: it grants no lock.",
                    "Name the master"
                            + server.info("master_host")
                                    .map(host -> ", which is " + host + ":"
                                            + server.info("master_port").orElse("?"))
                                    .orElse("")
                            + ".");
        }
        if (server.infoNumber("loading") != 0) {
            return Finding.fail(
                    this,
                    "a master that is loading its data",
                    "Until it has loaded its data it grants no lock.",
                    "Wait until it has, and look again.");
        }
        if (!mode.equals("standalone")) {
            return Finding.warn(
                    this,
                    "a master in " + mode + " mode",
                    "Keyhold does not follow a key to another node: locks in slots of other nodes fail.",
                    "Keep locks on a server of their own, which is not part of a cluster.");
        }
        return Finding.ok(this, "a master");
    }
}
