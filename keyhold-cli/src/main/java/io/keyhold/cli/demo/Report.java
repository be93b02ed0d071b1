package io.keyhold.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a history proves. A history without events proves nothing, which is a failure unless the demo was stopped early.
 *
 * @param lines the claims and the observations
 * @param outcome the result
 * @param open whether a claim of a demo that was stopped early is neither proved nor contradicted
 */
record Report(List<String> lines, Outcome outcome, boolean open) {

    private static final int MIN_HAND_OVERS = 3;

    /** Returns the report of a demo that ran to its end. */
    static Report of(History history, Duration lease, Optional<String> failure) {
        return of(new Proof("FAIL"), history, lease, failure);
    }

    /** Returns the report of a demo that was stopped early, or still runs. */
    static Report stoppedEarly(History history, Duration lease, Optional<String> failure) {
        return of(new Proof("OPEN"), history, lease, failure);
    }

    private static Report of(Proof proof, History history, Duration lease, Optional<String> failure) {
        neverTooMany(proof, history, Resource.LOCK, "never two inside the lock");
        neverTooMany(
                proof,
                history,
                Resource.SEMAPHORE,
                "never more than " + Resource.SEMAPHORE.limit() + " inside the semaphore");
        tokensGrew(proof, history);
        lockBecameFree(proof, history, lease);
        failure.ifPresent(what -> proof.line("FAIL", "every worker ran to the end", what));
        proof.lines.add(
                "Observed through file locks of the operating system and an append-only file, independently of Redis.");
        proof.lines.add("");
        Outcome outcome = proof.outcome();
        proof.lines.add(
                switch (outcome) {
                    case PROVED ->
                        "Proved: never two inside the lock, never more than " + Resource.SEMAPHORE.limit()
                                + " inside the semaphore, fencing tokens only grew, a killed worker's lock became free.";
                    case ENDED_EARLY -> "Stopped early: nothing was contradicted, but not everything was proved.";
                    case NOT_PROVED -> "NOT PROVED: " + String.join("; ", proof.failed) + ".";
                });
        return new Report(proof.lines, outcome, proof.open);
    }

    /** Collects the lines. */
    private static final class Proof {
        private final List<String> lines = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();
        private final String undecided;
        private boolean open;

        /** The status is for claims that are neither proved nor contradicted. */
        Proof(String undecided) {
            this.undecided = undecided;
        }

        void line(boolean contradicted, boolean proved, String claim, String seen) {
            line(contradicted ? "FAIL" : proved ? "OK" : undecided, claim, seen);
        }

        void line(String status, String claim, String seen) {
            lines.add(String.format(Locale.ROOT, "  %-4s  %-38s  %s", status, claim, seen));
            if (status.equals("FAIL")) {
                failed.add(claim + " (" + seen + ")");
            }
            open |= status.equals("OPEN");
        }

        Outcome outcome() {
            if (!failed.isEmpty()) {
                return Outcome.NOT_PROVED;
            }
            return open ? Outcome.ENDED_EARLY : Outcome.PROVED;
        }
    }

    private static void neverTooMany(Proof proof, History history, Resource resource, String claim) {
        List<Event> entries = history.entries(resource);
        long clashes = entries.stream()
                .filter(event -> event.kind() == Event.Kind.CLASHED)
                .count();
        long workers = entries.stream().map(Event::worker).distinct().count();
        proof.line(
                clashes > 0,
                workers > 1 && (resource != Resource.LOCK || history.handOvers() >= MIN_HAND_OVERS),
                claim,
                entries.size() + " entries by " + workers + " processes, " + clashes + " too many"
                        + (resource == Resource.LOCK ? ", " + history.handOvers() + " hand-overs" : ""));
    }

    /** Those of the lock must grow in the order of the log, which is written inside. Holders of a semaphore write concurrently: no token twice. */
    private static void tokensGrew(Proof proof, History history) {
        List<Event> entries = history.entries(Resource.LOCK);
        long outOfOrder = 0;
        for (int i = 1; i < entries.size(); i++) {
            if (entries.get(i).fence() <= entries.get(i - 1).fence()) {
                outOfOrder++;
            }
        }
        Set<Long> permits = new HashSet<>();
        history.entries(Resource.SEMAPHORE).forEach(event -> permits.add(event.fence()));
        int twice = history.entries(Resource.SEMAPHORE).size() - permits.size();
        proof.line(
                outOfOrder > 0 || twice > 0,
                !entries.isEmpty(),
                "fencing tokens only grew",
                entries.size() + " of the lock, " + outOfOrder + " out of order; " + permits.size()
                        + " of the semaphore, " + twice + " twice");
    }

    private static void lockBecameFree(Proof proof, History history, Duration lease) {
        String claim = "a killed worker's lock became free";
        Optional<Event> kill = history.first(Event.Kind.KILLED);
        Optional<Event> stay = history.first(Event.Kind.STAYS);
        if (kill.isEmpty()
                || stay.isEmpty()
                || !stay.get().worker().equals(kill.get().worker())) {
            proof.line(false, false, claim, "no worker was killed inside the lock");
            return;
        }
        String killed = kill.get().worker() + " killed (kill -9) inside, ";
        Optional<Event> entry = history.entryAfterKill();
        proof.line(
                false,
                entry.isPresent(),
                claim,
                entry.map(next -> String.format(
                                Locale.ROOT,
                                "%s%s in after %.1f s (lease %d s)",
                                killed,
                                next.worker(),
                                (next.millis() - kill.get().millis()) / 1e3,
                                lease.toSeconds()))
                        .orElse(killed + "no entry since"));
    }
}
