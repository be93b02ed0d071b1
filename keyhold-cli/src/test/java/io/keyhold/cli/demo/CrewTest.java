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

/** Real workers, on a server of their own. */
final class CrewTest {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aServerThatIsSilentForAWhileEndsNoWorker() throws IOException, InterruptedException {
        new Chronicle(folder).close(); // Which makes the file.
        try (EmbeddedRedis server = EmbeddedRedis.start();
                ChronicleReader reader = new ChronicleReader(folder);
                Crew crew = new Crew(folder)) {
            String impatient = server.uri() + "?connectTimeout=200ms&commandTimeout=200ms";
            crew.start("worker-1", impatient, Duration.ofSeconds(1), true);
            await(reader, Event::isEntry);
            server.pause();
            await(reader, event -> event.kind() == Event.Kind.UNANSWERED && event.prize() == Prize.LOCK);
            server.resume();
            await(reader, event -> event.kind() == Event.Kind.ENTERED && event.prize() == Prize.LOCK);
            crew.finish(Duration.ofMinutes(2));
            assertThat(crew.trouble()).isEmpty();
        }
    }

    /** Reads on until such a thing has happened. */
    private static void await(ChronicleReader reader, Predicate<Event> wanted) {
        while (reader.next().stream().noneMatch(wanted)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
