package io.keyhold.cli;

import io.keyhold.embedded.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes the ways that most calls of the command go, on a server of its own, so that the JVM can archive the classes that
 * these need. The launcher runs it when it has built the command.
 */
public final class Training {

    private Training() {}

    /** Ends with 0 if all went well. */
    public static void main(String... none) {
        int worst = ExitCode.OK;
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            worst = Math.max(worst, Main.run("--version"));
            worst = Math.max(worst, Main.run("--help"));
            List<String> run = new ArrayList<>(List.of("run", "--redis", server.uri(), "training", "true"));
            worst = Math.max(worst, Main.run(run.toArray(new String[0])));
        }
        System.exit(worst);
    }
}
