package io.keyhold.cli.demo;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The events so far. */
final class History {

    private final List<Event> events = new ArrayList<>();
    private final Map<Resource, Set<String>> inside = new EnumMap<>(Resource.class);
    private final Set<String> ready = new LinkedHashSet<>();

    History() {
        for (Resource resource : Resource.values()) {
            inside.put(resource, new LinkedHashSet<>());
        }
    }

    void add(Event event) {
        events.add(event);
        if (event.kind() == Event.Kind.READY) {
            ready.add(event.worker());
        } else if (event.isEntry()) {
            inside(event.resource()).add(event.worker());
        } else if (event.kind() == Event.Kind.KILLED) {
            inside.values().forEach(each -> each.remove(event.worker()));
        } else if (event.isExit()) {
            inside(event.resource()).remove(event.worker());
        }
    }

    /** Returns the workers that are inside, by the events so far. */
    Set<String> inside(Resource resource) {
        return inside.getOrDefault(resource, Set.of());
    }

    int ready() {
        return ready.size();
    }

    List<Event> events() {
        return events;
    }

    List<Event> entries(Resource resource) {
        return events.stream()
                .filter(event -> event.resource() == resource && event.isEntry())
                .toList();
    }

    /** Returns the first event of a kind. */
    Optional<Event> first(Event.Kind kind) {
        return events.stream().filter(event -> event.kind() == kind).findFirst();
    }

    /** Returns the first entry into the lock after the kill. */
    Optional<Event> entryAfterKill() {
        return first(Event.Kind.KILLED)
                .flatMap(kill -> events.stream()
                        .skip(events.indexOf(kill))
                        .filter(event -> event.resource() == Resource.LOCK && event.isEntry())
                        .findFirst());
    }

    /** Returns how often the lock passed from one worker to another. */
    long handOvers() {
        List<Event> entries = entries(Resource.LOCK);
        long count = 0;
        for (int i = 1; i < entries.size(); i++) {
            if (!entries.get(i).worker().equals(entries.get(i - 1).worker())) {
                count++;
            }
        }
        return count;
    }
}
