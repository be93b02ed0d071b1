package io.keyhold.doctor;

/** A check of one server. */
abstract class ServerCheck extends Check {

    final Server server;

    ServerCheck(String name, Server server) {
        super(name);
        this.server = server;
    }
}
