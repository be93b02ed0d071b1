package io.keyhold.cli;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * Initialises slow parts of the JVM on a second core while the first parses the command line and finds the server: security
 * providers, process handles and the logger take as long as the rest of a short run.
 */
final class Preload implements Runnable {

    private Preload() {}

    static void start() {
        Thread thread = new Thread(new Preload(), "keyhold-preload");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            new SecureRandom().nextInt();
            MessageDigest.getInstance("SHA-1");
            System.getLogger("io.keyhold");
            ProcessHandle.current();
        } catch (NoSuchAlgorithmException ignored) {
            // The code that needs it will report it.
        }
    }
}
