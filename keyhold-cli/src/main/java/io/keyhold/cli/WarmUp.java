package io.keyhold.cli;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * Sets up on a second core what a lock needs of the JVM, while the first reads the command line and looks for the server:
 * the security providers, the process table and the log take the JVM as long to find as all the rest of a short run.
 */
final class WarmUp implements Runnable {

    private WarmUp() {}

    static void start() {
        Thread thread = new Thread(new WarmUp(), "keyhold-warm-up");
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
        } catch (NoSuchAlgorithmException noMatterHere) {
            // Whoever needs it says so.
        }
    }
}
