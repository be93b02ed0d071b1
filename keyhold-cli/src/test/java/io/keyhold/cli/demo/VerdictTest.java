package io.keyhold.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a history proves, and above all what it does not. */
final class VerdictTest {

    private final History history = new History();
    private long millis;

    private VerdictTest add(Event.Kind kind, Prize prize, String worker, long fence) {
        history.add(new Event(millis += 100, kind, prize, worker, fence));
        return this;
    }

    private VerdictTest visit(Prize prize, String worker, long fence) {
        return add(Event.Kind.ENTERED, prize, worker, fence).add(Event.Kind.LEAVES, prize, worker, fence);
    }

    private VerdictTest goodBeginning() {
        return visit(Prize.LOCK, "a", 1)
                .visit(Prize.LOCK, "b", 2)
                .visit(Prize.LOCK, "c", 3)
                .visit(Prize.SEMAPHORE, "a", 11)
                .visit(Prize.SEMAPHORE, "b", 10);
    }

    private VerdictTest death() {
        return add(Event.Kind.ENTERED, Prize.LOCK, "a", 4)
                .add(Event.Kind.STAYS, Prize.LOCK, "a", 4)
                .add(Event.Kind.KILLED, Prize.LOCK, "a", 0);
    }

    private Verdict verdict() {
        return Verdict.of(history, Duration.ofSeconds(2), Optional.empty());
    }

    private void isNotProvedBecause(String claim) {
        Verdict verdict = verdict();
        assertThat(verdict.outcome()).isEqualTo(Outcome.NOT_PROVED);
        assertThat(verdict.lines().get(verdict.lines().size() - 1)).startsWith("NOT PROVED: " + claim);
        assertThat(verdict.lines()).anyMatch(line -> line.startsWith("  FAIL  " + claim));
    }

    @Test
    void allIsWell() {
        goodBeginning().death().visit(Prize.LOCK, "b", 5);
        assertThat(verdict().outcome()).isEqualTo(Outcome.PROVED);
        assertThat(verdict().lines())
                .filteredOn(line -> line.startsWith("  OK"))
                .hasSize(4);
        assertThat(verdict().lines()).anyMatch(line -> line.contains("b in after 0.1 s (lease 2 s)"));
    }

    @Test
    void oneTooManyInTheLock() {
        goodBeginning().death().add(Event.Kind.CLASHED, Prize.LOCK, "b", 5);
        isNotProvedBecause("never two inside the lock");
    }

    @Test
    void oneTooManyInTheSemaphore() {
        goodBeginning().death().visit(Prize.LOCK, "b", 5).add(Event.Kind.CLASHED, Prize.SEMAPHORE, "c", 12);
        isNotProvedBecause("never more than 2 inside the semaphore");
    }

    @Test
    void aTokenThatDidNotGrow() {
        goodBeginning().death().visit(Prize.LOCK, "b", 4);
        isNotProvedBecause("fencing tokens only grew");
    }

    @Test
    void aPermitsTokenTwice() {
        goodBeginning().death().visit(Prize.LOCK, "b", 5).visit(Prize.SEMAPHORE, "c", 11);
        isNotProvedBecause("fencing tokens only grew");
    }

    @Test
    void nobodyWasKilled() {
        goodBeginning().visit(Prize.LOCK, "b", 5);
        isNotProvedBecause("a dead worker's lock came back");
    }

    @Test
    void theLockDidNotComeBack() {
        goodBeginning().death();
        isNotProvedBecause("a dead worker's lock came back");
    }

    @Test
    void whereNothingHappenedNothingIsProved() {
        isNotProvedBecause("never two inside the lock");
    }

    @Test
    void aWorkerThatEndedByItself() {
        goodBeginning().death().visit(Prize.LOCK, "b", 5);
        assertThat(Verdict.of(history, Duration.ofSeconds(2), Optional.of("c ended with 1"))
                        .outcome())
                .isEqualTo(Outcome.NOT_PROVED);
    }

    private Verdict early() {
        return Verdict.early(history, Duration.ofSeconds(2), Optional.empty());
    }

    @Test
    void endedEarlyNothingIsContradicted() {
        visit(Prize.LOCK, "a", 1).death();
        assertThat(early().outcome()).isEqualTo(Outcome.ENDED_EARLY);
        assertThat(early().open()).isTrue();
        assertThat(early().lines()).noneMatch(line -> line.contains("FAIL") || line.contains("NOT PROVED"));
        assertThat(early().lines()).last().asString().startsWith("Ended early: nothing was contradicted");
    }

    @Test
    void endedEarlyAndYetContradicted() {
        visit(Prize.LOCK, "a", 1).add(Event.Kind.CLASHED, Prize.LOCK, "b", 2);
        assertThat(early().outcome()).isEqualTo(Outcome.NOT_PROVED);
        assertThat(early().open()).as("nobody was killed yet").isTrue();
        assertThat(early().lines()).last().asString().contains("never two").doesNotContain("came back");
    }

    @Test
    void endedEarlyAndYetProved() {
        goodBeginning().death().visit(Prize.LOCK, "b", 5);
        assertThat(early().outcome()).isEqualTo(Outcome.PROVED);
        assertThat(early().open()).isFalse();
    }
}
