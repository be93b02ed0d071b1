package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Goes the ways that most calls of the command go, so that the JVM can archive the classes that these need. The launcher
 * runs it when it has built the command, with a folder for it alone, where it starts a server of the user's own and ends it.
 */
public final class Training {

    private Training() {}

    /** Ends with 0 if all went well. */
    public static void main(String... none) throws IOException, InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Main.run("--version");
            Main.run("--help");
            Main.run("ls", "--redis", server.uri());
            Main.run("show", "training", "--redis", server.uri());
            run();
            UsersServer.ofThisUser().info();
        } finally {
            UsersServer.ofThisUser().stop();
        }
        System.exit(ExitCode.OK);
    }

    /** Up to the moment when the command would start; the hold ends when this process does. */
    private static void run() throws IOException, InterruptedException {
        Path words = Files.createTempFile("keyhold-training", ".txt");
        System.setProperty("keyhold.front", words.toString());
        System.setIn(new PipedInputStream(new PipedOutputStream())); // A launcher that says nothing.
        Thread run = new Thread(() -> Main.run("run", "training", "--", "true"));
        run.setDaemon(true);
        run.start();
        while (run.isAlive() && !Files.readString(words, UTF_8).contains("valid")) {
            Thread.sleep(10);
        }
        Files.delete(words);
    }
}
