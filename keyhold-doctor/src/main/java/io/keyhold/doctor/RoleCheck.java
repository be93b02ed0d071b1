package io.keyhold.doctor;

/** Whether the server is a master, and the URI names the topology that it is part of. */
final class RoleCheck extends ServerCheck {

    private final Deployment deployment;

    RoleCheck(Server server, Deployment deployment) {
        super("role", server);
        this.deployment = deployment;
    }

    @Override
    Finding run() {
        String role = server.info("role").orElse("unknown");
        String mode = server.info("redis_mode").orElse("standalone");
        if (server.isSentinel()) {
            return fail(
                    "a sentinel",
                    "Sentinels keep no locks; they know which server is the master.",
                    "Use redis-sentinel://" + server.address() + "?master=NAME.");
        }
        if (!role.equals("master")) {
            return replica(role, mode);
        }
        if (server.infoNumber("loading") != 0) {
            return fail(
                    "a master that is loading its data",
                    "It grants no locks until its data is loaded.",
                    "Run the doctor again later.");
        }
        if (mode.equals("cluster") && deployment != Deployment.CLUSTER_PRIMARY) {
            return warn(
                    "a primary of a cluster",
                    "The URI names this node alone: locks in slots of other nodes fail (MOVED).",
                    "Use redis-cluster://" + server.address() + ", which finds the node of each lock.");
        }
        return ok(mode.equals("cluster") ? "a primary of a cluster" : "a master");
    }

    private Finding replica(String role, String mode) {
        String cure = mode.equals("cluster")
                ? "Use redis-cluster://" + server.address() + ", which finds the primary of each lock."
                : "Use the master"
                        + server.info("master_host")
                                .map(host -> " " + host + ":"
                                        + server.info("master_port").orElse("?"))
                                .orElse("")
                        + ", or with sentinels redis-sentinel://, which finds it.";
        return fail(role.equals("slave") ? "a replica" : role, "A replica is read-only, so it grants no locks.", cure);
    }
}
