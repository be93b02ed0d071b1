package io.keyhold.cli.demo;

import java.util.Locale;
import java.util.Optional;

/** Tells events in words, a line each. */
final class Story {

    private final long startMillis;
    private final History history;
    private String lastInside = "";

    Story(long startMillis, History history) {
        this.startMillis = startMillis;
        this.history = history;
    }

    /** The line, if it is worth one. To be asked in order, each event when the history has just heard of it. */
    Optional<String> tell(Event event) {
        String text = switch (event.kind()) {
            case READY -> event.worker() + " is ready";
            case ENTERED -> entered(event);
            case CLASHED -> event.prize().word() + ": " + event.worker() + " is inside BESIDE OTHERS";
            case STAYS -> event.worker() + " stays inside the lock, and will be killed";
            case KILLED -> event.worker() + " was killed (kill -9); its lock comes back when its lease has run out";
            case LOST -> event.prize().word() + ": " + event.worker() + " was told that its hold is lost";
            case UNANSWERED -> event.prize().word() + ": " + event.worker() + " got no answer, and tries again";
            case LEAVES -> "";
        };
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT, "%6.2fs  %s", Math.max(0, event.millis() - startMillis) / 1e3, text));
    }

    private String entered(Event event) {
        if (event.prize() == Prize.SEMAPHORE) {
            return String.format(
                    Locale.ROOT,
                    "semaphore  %-21s  %d of %d places taken",
                    event.worker(),
                    history.inside(Prize.SEMAPHORE).size(),
                    Prize.SEMAPHORE.places());
        }
        String from = lastInside.isEmpty() || lastInside.equals(event.worker()) ? "" : lastInside + " -> ";
        lastInside = event.worker();
        return String.format(Locale.ROOT, "lock       %-21s  fencing token %d", from + event.worker(), event.fence());
    }
}
