package io.keyhold.internal.engine;

import io.keyhold.KeyholdListener;
import java.util.ArrayList;
import java.util.List;

/** A listener that keeps what it was told, in order; as text with the number of the request, and the last event of each kind. */
public final class RecordedEvents implements KeyholdListener {

    private final List<String> told = new ArrayList<>();
    private final List<Granted> grants = new ArrayList<>();
    private final List<NotGranted> refusals = new ArrayList<>();
    private final List<Ended> ends = new ArrayList<>();
    private final List<Renewal> renewals = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();

    @Override
    public synchronized void requested(Request request) {
        requests.add(request);
        told.add(request.id() + " requested");
    }

    @Override
    public synchronized void granted(Granted event) {
        grants.add(event);
        told.add(event.request().id() + " granted " + event.path());
    }

    @Override
    public synchronized void notGranted(NotGranted event) {
        refusals.add(event);
        told.add(event.request().id() + " not granted " + event.outcome());
    }

    @Override
    public synchronized void ended(Ended event) {
        ends.add(event);
        told.add(event.request().id() + " ended " + event.end());
    }

    @Override
    public synchronized void renewed(Renewal event) {
        renewals.add(event);
    }

    public synchronized List<String> told() {
        return List.copyOf(told);
    }

    /** Returns what it was told of one request, without the number. */
    synchronized List<String> toldOf(long id) {
        String number = id + " ";
        return told.stream()
                .filter(line -> line.startsWith(number))
                .map(line -> line.substring(number.length()))
                .toList();
    }

    synchronized List<Request> requests() {
        return List.copyOf(requests);
    }

    synchronized List<Granted> grants() {
        return List.copyOf(grants);
    }

    synchronized List<NotGranted> refusals() {
        return List.copyOf(refusals);
    }

    synchronized List<Ended> ends() {
        return List.copyOf(ends);
    }

    public synchronized List<Renewal> renewals() {
        return List.copyOf(renewals);
    }
}
