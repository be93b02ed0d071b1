package io.keyhold.tests.contract.lock;

import io.keyhold.KeyholdListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A listener that keeps all events of requests in order, as they were told, and lets a test wait for one. */
public final class EventLog implements KeyholdListener {

    /** One event. */
    public record Entry(Request request, String text, Object event) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<Thread> askingThreads = new ArrayList<>();
    private final CompletableFuture<Renewal> firstRenewal = new CompletableFuture<>();

    @Override
    public void requested(Request request) {
        synchronized (this) {
            askingThreads.add(Thread.currentThread());
        }
        add(request, "requested", request);
    }

    @Override
    public void granted(Granted event) {
        add(event.request(), "granted", event);
    }

    @Override
    public void notGranted(NotGranted event) {
        add(event.request(), "not granted: " + event.outcome(), event);
    }

    @Override
    public void ended(Ended event) {
        add(event.request(), "ended: " + event.end(), event);
    }

    @Override
    public void renewed(Renewal event) {
        firstRenewal.complete(event);
    }

    private synchronized void add(Request request, String text, Object event) {
        entries.add(new Entry(request, text, event));
        notifyAll();
    }

    /** Returns the first event of this type, when it was told. */
    public <T> T await(Class<T> type) throws InterruptedException {
        return type.cast(await(entry -> type.isInstance(entry.event())).event());
    }

    /** Returns all events of the n-th request, when it was told the last of them: a hold has ended, or a request without one. */
    public List<String> awaitEnd(int number) throws InterruptedException {
        await(entry -> entry.request().id() == number && isEnd(entry));
        return of(number);
    }

    /** Returns when it was told of the n-th request. */
    void awaitRequest(int number) throws InterruptedException {
        await(entry -> entry.request().id() == number);
    }

    /** Returns when it was told this many events. */
    synchronized void awaitCount(int count) throws InterruptedException {
        await(entry -> entries.size() >= count);
    }

    /** Returns what it was told of the n-th request so far. */
    public synchronized List<String> of(int number) {
        return entries.stream()
                .filter(entry -> entry.request().id() == number)
                .map(Entry::text)
                .toList();
    }

    /** Returns what it was told of holds so far, with the number of the request. Only these events are in the order of one queue. */
    public synchronized List<String> holds() {
        return entries.stream()
                .filter(entry -> entry.event() instanceof Granted || entry.event() instanceof Ended)
                .map(entry -> entry.request().id() + " " + entry.text())
                .toList();
    }

    /** Returns the grant of the n-th request. */
    public synchronized Granted grant(int number) {
        return entries.stream()
                .filter(entry -> entry.request().id() == number && entry.event() instanceof Granted)
                .map(entry -> (Granted) entry.event())
                .findFirst()
                .orElseThrow();
    }

    /** Returns all entries so far. */
    public synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Returns the threads on which it was told of requests. */
    synchronized List<Thread> askingThreads() {
        return List.copyOf(askingThreads);
    }

    Renewal awaitRenewal() throws Exception {
        return firstRenewal.get(60, TimeUnit.SECONDS);
    }

    private static boolean isEnd(Entry entry) {
        return entry.event() instanceof Ended || entry.event() instanceof NotGranted;
    }

    private synchronized Entry await(Predicate<Entry> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (entries.stream().noneMatch(wanted)) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("not told within a minute; told so far: " + entries);
            }
            wait(left);
        }
        return entries.stream().filter(wanted).findFirst().orElseThrow();
    }
}
