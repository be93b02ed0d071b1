package io.keyhold.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a history proves. A history in which nothing happened proves nothing; but if it was ended early, that is nobody's
 * failure.
 *
 * @param lines what was looked at, and what was seen
 * @param outcome what follows from it
 * @param open of one that was ended early: whether something was neither seen nor contradicted, and might still be
 */
record Verdict(List<String> lines, Outcome outcome, boolean open) {

    private static final int LEAST_HAND_OVERS = 3;

    /** Of a demonstration that went on to its end. */
    static Verdict of(History history, Duration lease, Optional<String> trouble) {
        return of(new Proof("FAIL"), history, lease, trouble);
    }

    /** Of one that somebody has ended early. */
    static Verdict early(History history, Duration lease, Optional<String> trouble) {
        return of(new Proof("OPEN"), history, lease, trouble);
    }

    private static Verdict of(Proof proof, History history, Duration lease, Optional<String> trouble) {
        neverTooMany(proof, history, Prize.LOCK, "never two inside the lock");
        neverTooMany(
                proof,
                history,
                Prize.SEMAPHORE,
                "never more than " + Prize.SEMAPHORE.places() + " inside the semaphore");
        tokensGrew(proof, history);
        lockCameBack(proof, history, lease);
        trouble.ifPresent(what -> proof.line("FAIL", "every worker at work to the end", what));
        proof.lines.add(
                "Witnesses are the operating system's file locks and an append-only file, not the workers' word.");
        proof.lines.add("");
        Outcome outcome = proof.outcome();
        proof.lines.add(
                switch (outcome) {
                    case PROVED ->
                        "Proved: never two inside the lock, never more than " + Prize.SEMAPHORE.places()
                                + " inside the semaphore, fencing tokens only grew, a dead worker's lock came back.";
                    case ENDED_EARLY -> "Ended early: nothing was contradicted so far, and not everything was proved.";
                    case NOT_PROVED -> "NOT PROVED: " + String.join("; ", proof.failed) + ".";
                });
        return new Verdict(proof.lines, outcome, proof.open);
    }

    /** Gathers lines. */
    private static final class Proof {
        private final List<String> lines = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();
        private final String unseen;
        private boolean open;

        /** This is the word for what was neither seen nor contradicted. */
        Proof(String unseen) {
            this.unseen = unseen;
        }

        void line(boolean contradicted, boolean proved, String claim, String seen) {
            line(contradicted ? "FAIL" : proved ? "OK" : unseen, claim, seen);
        }

        void line(String word, String claim, String seen) {
            lines.add(String.format(Locale.ROOT, "  %-4s  %-38s  %s", word, claim, seen));
            if (word.equals("FAIL")) {
                failed.add(claim + " (" + seen + ")");
            }
            open |= word.equals("OPEN");
        }

        Outcome outcome() {
            if (!failed.isEmpty()) {
                return Outcome.NOT_PROVED;
            }
            return open ? Outcome.ENDED_EARLY : Outcome.PROVED;
        }
    }

    private static void neverTooMany(Proof proof, History history, Prize prize, String claim) {
        List<Event> entries = history.entries(prize);
        long clashes = entries.stream()
                .filter(event -> event.kind() == Event.Kind.CLASHED)
                .count();
        long workers = entries.stream().map(Event::worker).distinct().count();
        proof.line(
                clashes > 0,
                workers > 1 && (prize != Prize.LOCK || history.handOvers() >= LEAST_HAND_OVERS),
                claim,
                entries.size() + " entries by " + workers + " processes, " + clashes + " too many"
                        + (prize == Prize.LOCK ? ", " + history.handOvers() + " hand-overs" : ""));
    }

    /** The lock's in the order of the lines, which are written inside; of a semaphore, whose holders write at once, none twice. */
    private static void tokensGrew(Proof proof, History history) {
        List<Event> entries = history.entries(Prize.LOCK);
        long fallen = 0;
        for (int i = 1; i < entries.size(); i++) {
            if (entries.get(i).fence() <= entries.get(i - 1).fence()) {
                fallen++;
            }
        }
        Set<Long> permits = new HashSet<>();
        history.entries(Prize.SEMAPHORE).forEach(event -> permits.add(event.fence()));
        int twice = history.entries(Prize.SEMAPHORE).size() - permits.size();
        proof.line(
                fallen > 0 || twice > 0,
                !entries.isEmpty(),
                "fencing tokens only grew",
                entries.size() + " of the lock, " + fallen + " out of order; " + permits.size() + " of the semaphore, "
                        + twice + " twice");
    }

    private static void lockCameBack(Proof proof, History history, Duration lease) {
        String claim = "a dead worker's lock came back";
        Optional<Event> death = history.first(Event.Kind.KILLED);
        Optional<Event> stay = history.first(Event.Kind.STAYS);
        if (death.isEmpty()
                || stay.isEmpty()
                || !stay.get().worker().equals(death.get().worker())) {
            proof.line(false, false, claim, "no worker was killed inside the lock");
            return;
        }
        String dead = death.get().worker() + " killed (kill -9) inside, ";
        Optional<Event> heir = history.heir();
        proof.line(
                false,
                heir.isPresent(),
                claim,
                heir.map(next -> String.format(
                                Locale.ROOT,
                                "%s%s in after %.1f s (lease %d s)",
                                dead,
                                next.worker(),
                                (next.millis() - death.get().millis()) / 1e3,
                                lease.toSeconds()))
                        .orElse(dead + "nobody in since"));
    }
}
