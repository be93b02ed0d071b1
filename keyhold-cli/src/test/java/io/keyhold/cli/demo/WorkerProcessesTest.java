package io.keyhold.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real worker processes on their own server. */
final class WorkerProcessesTest {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void workerSurvivesAPausedServer() throws IOException, InterruptedException {
        new EventLog(folder).close(); // Creates the file.
        try (EmbeddedRedis server = EmbeddedRedis.start();
                EventLogReader reader = new EventLogReader(folder);
                WorkerProcesses processes = new WorkerProcesses(folder)) {
            String shortTimeouts = server.uri() + "?connectTimeout=200ms&commandTimeout=200ms";
            processes.start("worker-1", shortTimeouts, Duration.ofSeconds(1), false);
            await(reader, Event::isEntry);
            server.pause();
            await(reader, event -> event.kind() == Event.Kind.FAILED && event.resource() == Resource.LOCK);
            server.resume();
            await(reader, event -> event.kind() == Event.Kind.ENTERED && event.resource() == Resource.LOCK);
            processes.finish(Duration.ofMinutes(2));
            assertThat(processes.failure()).isEmpty();
        }
    }

    /** Reads events until one matches. */
    private static void await(EventLogReader reader, Predicate<Event> expected) {
        while (reader.next().stream().noneMatch(expected)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
