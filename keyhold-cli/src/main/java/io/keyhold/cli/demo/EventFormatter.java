package io.keyhold.cli.demo;

import java.util.Locale;
import java.util.Optional;

/** Formats events, one line each. */
final class EventFormatter {

    private final long startMillis;
    private final History history;
    private String lastInside = "";

    EventFormatter(long startMillis, History history) {
        this.startMillis = startMillis;
        this.history = history;
    }

    /** Returns the line of an event; empty if it has none. Must be called in order, after the event was added to the history. */
    Optional<String> format(Event event) {
        String text = switch (event.kind()) {
            case READY -> event.worker() + " is ready";
            case ENTERED -> entered(event);
            case CLASHED -> event.resource().label() + ": TOO MANY INSIDE, " + event.worker() + " entered too";
            case STAYS -> event.worker() + " stays inside the lock until it is killed";
            case KILLED -> event.worker() + " was killed (kill -9); its lock is free again when its lease ends";
            case LOST -> event.resource().label() + ": " + event.worker() + " lost its lease";
            case FAILED ->
                event.resource().label() + ": " + event.worker() + " could not reach the server, and tries again";
            case LEAVES -> "";
        };
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT, "%6.2fs  %s", Math.max(0, event.millis() - startMillis) / 1e3, text));
    }

    private String entered(Event event) {
        if (event.resource() == Resource.SEMAPHORE) {
            return String.format(
                    Locale.ROOT,
                    "semaphore  %-21s  %d of %d permits in use",
                    event.worker(),
                    history.inside(Resource.SEMAPHORE).size(),
                    Resource.SEMAPHORE.limit());
        }
        String from = lastInside.isEmpty() || lastInside.equals(event.worker()) ? "" : lastInside + " -> ";
        lastInside = event.worker();
        return String.format(Locale.ROOT, "lock       %-21s  fencing token %d", from + event.worker(), event.fence());
    }
}
