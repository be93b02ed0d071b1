package io.keyhold.internal.simulation;

import java.util.HashSet;
import java.util.Set;

/** What servers know of releases, by token. No client can see this. */
final class Releases {

    private final Set<String> freed = new HashSet<>();
    private final Set<String> resting = new HashSet<>();
    private final Set<String> lostInFlight = new HashSet<>();

    /** A server has freed what this token held. */
    void freed(String token) {
        freed.add(token);
    }

    /** A server keeps taken what this token held, for the rest that was asked for. */
    void rests(String token) {
        resting.add(token);
    }

    /** Returns whether a server has begun the rest after the hold of this token. */
    boolean hasRested(String token) {
        return resting.contains(token);
    }

    /** A release was sent on a connection that was alive, and its reply never arrived: nothing can be known of it. */
    void lostInFlight(String token) {
        lostInFlight.add(token);
    }

    /** Returns whether a client may believe that its release has freed what this token held. */
    boolean mayBeDone(String token) {
        return freed.contains(token) || lostInFlight.contains(token);
    }
}
