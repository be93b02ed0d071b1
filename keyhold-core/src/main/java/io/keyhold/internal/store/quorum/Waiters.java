package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.QueuePlace;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who of this client stands in line. A vote may reach a slow node after whoever asked for it has the lock, or has given up, and puts
 * its place into the queue there: then that place has to be given up once more.
 */
final class Waiters {

    private final Set<QueuePlace> places = ConcurrentHashMap.newKeySet();

    void stand(QueuePlace place) {
        places.add(place);
    }

    void leave(QueuePlace place) {
        places.remove(place);
    }

    boolean haveLeft(QueuePlace place) {
        return !places.contains(place);
    }
}
