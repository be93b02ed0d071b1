package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the code of typical calls, so that the JVM can archive their classes (class-data sharing). The launcher runs it after it
 * has built the command, with its own directory for a private Redis server.
 */
public final class CdsTraining {

    private CdsTraining() {}

    /** Exits with 0 on success. */
    public static void main(String... none) throws IOException, InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Main.run("--version");
            Main.run("--help");
            Main.run("ls", "--redis", server.uri());
            Main.run("show", "training", "--redis", server.uri());
            run();
            LocalRedis.ofUser().info();
        } finally {
            LocalRedis.ofUser().stop();
        }
        System.exit(ExitCode.OK);
    }

    /** Runs until the command would start. The hold ends with this process. */
    private static void run() throws IOException, InterruptedException {
        Path messages = Files.createTempFile("keyhold-training", ".txt");
        System.setProperty("keyhold.launcher", messages.toString());
        System.setIn(new PipedInputStream(new PipedOutputStream())); // A launcher that sends nothing.
        Thread run = new Thread(() -> Main.run("run", "training", "--", "true"));
        run.setDaemon(true);
        run.start();
        while (run.isAlive() && !Files.readString(messages, UTF_8).contains("valid")) {
            Thread.sleep(10);
        }
        Files.delete(messages);
    }
}
