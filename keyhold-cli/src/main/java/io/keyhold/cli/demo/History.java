package io.keyhold.cli.demo;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All that the chronicle has told so far. */
final class History {

    private final List<Event> events = new ArrayList<>();
    private final Map<Prize, Set<String>> inside = new EnumMap<>(Prize.class);
    private final Set<String> ready = new LinkedHashSet<>();

    History() {
        for (Prize prize : Prize.values()) {
            inside.put(prize, new LinkedHashSet<>());
        }
    }

    void add(Event event) {
        events.add(event);
        if (event.kind() == Event.Kind.READY) {
            ready.add(event.worker());
        } else if (event.isEntry()) {
            inside(event.prize()).add(event.worker());
        } else if (event.kind() == Event.Kind.KILLED) {
            inside.values().forEach(each -> each.remove(event.worker()));
        } else if (event.isExit()) {
            inside(event.prize()).remove(event.worker());
        }
    }

    /** Who is inside, as far as the lines go. */
    Set<String> inside(Prize prize) {
        return inside.getOrDefault(prize, Set.of());
    }

    int ready() {
        return ready.size();
    }

    List<Event> events() {
        return events;
    }

    List<Event> entries(Prize prize) {
        return events.stream()
                .filter(event -> event.prize() == prize && event.isEntry())
                .toList();
    }

    /** The first of a kind. */
    Optional<Event> first(Event.Kind kind) {
        return events.stream().filter(event -> event.kind() == kind).findFirst();
    }

    /** Who was the first in the lock after the death of the worker that was killed in it. */
    Optional<Event> heir() {
        return first(Event.Kind.KILLED)
                .flatMap(death -> events.stream()
                        .skip(events.indexOf(death))
                        .filter(event -> event.prize() == Prize.LOCK && event.isEntry())
                        .findFirst());
    }

    /** How often the lock went from one worker to another. */
    long handOvers() {
        List<Event> entries = entries(Prize.LOCK);
        long count = 0;
        for (int i = 1; i < entries.size(); i++) {
            if (!entries.get(i).worker().equals(entries.get(i - 1).worker())) {
                count++;
            }
        }
        return count;
    }
}
