package io.keyhold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A server that leaves this JVM and its session, and outlives both. The process that is started forks and ends with status 0, so
 * that only the log says that the server failed to start.
 */
final class ServerDaemon extends ServerProcess {
    /** Logged in front of the end: "Fatal error loading the DB", "Failed listening on port 20001 (TCP), aborting." */
    private static final Pattern START_FAILED = Pattern.compile("Fatal|aborting|Unrecoverable|Bad file format");

    private final Path processId;

    private ServerDaemon(Process process, ServerDirectory directory) {
        super(process, directory.log());
        this.processId = directory.processId();
    }

    static ServerDaemon start(Path executable, List<String> arguments, ServerDirectory directory) {
        return new ServerDaemon(run(List.of(), executable, arguments, directory), directory);
    }

    /** Returns the id that the server has written; that of an earlier one, or 0, before it has. */
    @Override
    long pid() {
        try {
            return Long.parseLong(Files.readString(processId).strip());
        } catch (IOException | NumberFormatException notWritten) {
            return 0;
        }
    }

    @Override
    boolean isAlive() {
        return super.isAlive()
                || (exitStatus() == 0 && !START_FAILED.matcher(lastOutput()).find());
    }

    @Override
    boolean awaitEnd(long time, TimeUnit unit) throws InterruptedException {
        if (super.awaitEnd(time, unit)) {
            unit.sleep(time);
        }
        return !isAlive();
    }
}
