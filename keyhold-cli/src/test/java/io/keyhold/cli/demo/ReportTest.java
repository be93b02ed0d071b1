package io.keyhold.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a history proves, and what it does not. */
final class ReportTest {

    private final History history = new History();
    private long millis;

    private ReportTest add(Event.Kind kind, Resource resource, String worker, long fence) {
        history.add(new Event(millis += 100, kind, resource, worker, fence));
        return this;
    }

    private ReportTest visit(Resource resource, String worker, long fence) {
        return add(Event.Kind.ENTERED, resource, worker, fence).add(Event.Kind.LEAVES, resource, worker, fence);
    }

    private ReportTest normalContention() {
        return visit(Resource.LOCK, "a", 1)
                .visit(Resource.LOCK, "b", 2)
                .visit(Resource.LOCK, "c", 3)
                .visit(Resource.SEMAPHORE, "a", 11)
                .visit(Resource.SEMAPHORE, "b", 10);
    }

    private ReportTest kill() {
        return add(Event.Kind.ENTERED, Resource.LOCK, "a", 4)
                .add(Event.Kind.STAYS, Resource.LOCK, "a", 4)
                .add(Event.Kind.KILLED, Resource.LOCK, "a", 0);
    }

    private Report report() {
        return Report.of(history, Duration.ofSeconds(2), Optional.empty());
    }

    private void assertNotProved(String claim) {
        Report report = report();
        assertThat(report.outcome()).isEqualTo(Outcome.NOT_PROVED);
        assertThat(report.lines().get(report.lines().size() - 1)).startsWith("NOT PROVED: " + claim);
        assertThat(report.lines()).anyMatch(line -> line.startsWith("  FAIL  " + claim));
    }

    @Test
    void everyClaimIsProved() {
        normalContention().kill().visit(Resource.LOCK, "b", 5);
        assertThat(report().outcome()).isEqualTo(Outcome.PROVED);
        assertThat(report().lines()).filteredOn(line -> line.startsWith("  OK")).hasSize(4);
        assertThat(report().lines()).anyMatch(line -> line.contains("b in after 0.1 s (lease 2 s)"));
    }

    @Test
    void tooManyInTheLock() {
        normalContention().kill().add(Event.Kind.CLASHED, Resource.LOCK, "b", 5);
        assertNotProved("never two inside the lock");
    }

    @Test
    void tooManyInTheSemaphore() {
        normalContention().kill().visit(Resource.LOCK, "b", 5).add(Event.Kind.CLASHED, Resource.SEMAPHORE, "c", 12);
        assertNotProved("never more than 2 inside the semaphore");
    }

    @Test
    void tokenThatDidNotGrow() {
        normalContention().kill().visit(Resource.LOCK, "b", 4);
        assertNotProved("fencing tokens only grew");
    }

    @Test
    void repeatedTokenOfAPermit() {
        normalContention().kill().visit(Resource.LOCK, "b", 5).visit(Resource.SEMAPHORE, "c", 11);
        assertNotProved("fencing tokens only grew");
    }

    @Test
    void noWorkerWasKilled() {
        normalContention().visit(Resource.LOCK, "b", 5);
        assertNotProved("a killed worker's lock became free");
    }

    @Test
    void lockDidNotBecomeFree() {
        normalContention().kill();
        assertNotProved("a killed worker's lock became free");
    }

    @Test
    void emptyHistoryProvesNothing() {
        assertNotProved("never two inside the lock");
    }

    @Test
    void failedWorker() {
        normalContention().kill().visit(Resource.LOCK, "b", 5);
        assertThat(Report.of(history, Duration.ofSeconds(2), Optional.of("c exited with 1"))
                        .outcome())
                .isEqualTo(Outcome.NOT_PROVED);
    }

    private Report stoppedEarly() {
        return Report.stoppedEarly(history, Duration.ofSeconds(2), Optional.empty());
    }

    @Test
    void stoppedEarlyIsOpen() {
        visit(Resource.LOCK, "a", 1).kill();
        assertThat(stoppedEarly().outcome()).isEqualTo(Outcome.ENDED_EARLY);
        assertThat(stoppedEarly().open()).isTrue();
        assertThat(stoppedEarly().lines()).noneMatch(line -> line.contains("FAIL") || line.contains("NOT PROVED"));
        assertThat(stoppedEarly().lines()).last().asString().startsWith("Stopped early: nothing was contradicted");
    }

    @Test
    void stoppedEarlyAfterAContradiction() {
        visit(Resource.LOCK, "a", 1).add(Event.Kind.CLASHED, Resource.LOCK, "b", 2);
        assertThat(stoppedEarly().outcome()).isEqualTo(Outcome.NOT_PROVED);
        assertThat(stoppedEarly().open()).as("no worker was killed").isTrue();
        assertThat(stoppedEarly().lines())
                .last()
                .asString()
                .contains("never two")
                .doesNotContain("became free");
    }

    @Test
    void stoppedEarlyAfterTheProof() {
        normalContention().kill().visit(Resource.LOCK, "b", 5);
        assertThat(stoppedEarly().outcome()).isEqualTo(Outcome.PROVED);
        assertThat(stoppedEarly().open()).isFalse();
    }
}
