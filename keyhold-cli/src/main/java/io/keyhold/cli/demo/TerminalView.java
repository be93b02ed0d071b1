package io.keyhold.cli.demo;

import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.cli.view.DurationText;
import io.keyhold.cli.view.Output;
import io.keyhold.cli.view.Printable;
import io.keyhold.cli.view.Screen;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Redraws the screen: holders and queues by the server, the workers, and the last events. */
final class TerminalView implements DemoView {

    private static final int MAX_LINES = 8;

    private final Screen screen;
    private final LockInspector inspector;
    private final WorkerProcesses processes;
    private final Supplier<String> clock;
    private final Deque<String> last = new ArrayDeque<>();

    TerminalView(Output output, LockInspector inspector, WorkerProcesses processes, Supplier<String> clock) {
        this.screen = Screen.open(output);
        this.inspector = inspector;
        this.processes = processes;
        this.clock = clock;
    }

    @Override
    public void show(History history, List<String> newLines) {
        // Permits change too fast to read, and are shown above.
        newLines.stream()
                .filter(line -> !line.contains(Resource.SEMAPHORE.label() + "  "))
                .forEach(last::add);
        while (last.size() > MAX_LINES) {
            last.removeFirst();
        }
        int width = Screen.columns();
        screen.draw(
                frame(history).stream().map(line -> Printable.cut(line, width)).toList());
    }

    private List<String> frame(History history) {
        List<String> lines = new ArrayList<>();
        lines.add("keyhold demo    " + clock.get() + "    q quits");
        lines.add("");
        for (Resource resource : Resource.values()) {
            try {
                resource(lines, resource, inspector.lock(resource.key()), history);
            } catch (StoreUnavailableException | StoreRefusedException e) {
                lines.add(String.valueOf(e.getMessage()));
            }
            lines.add("");
        }
        processes.names().forEach(name -> lines.add(worker(name, history)));
        lines.add("");
        lines.addAll(last);
        return lines;
    }

    private static void resource(List<String> lines, Resource resource, LockSnapshot lock, History history) {
        String detail = resource == Resource.LOCK
                ? history.handOvers() + " hand-overs"
                : lock.permits() - lock.availablePermits() + " of " + lock.permits() + " permits in use";
        lines.add(String.format(Locale.ROOT, "%-11s %s", resource.label().toUpperCase(Locale.ROOT), detail));
        for (LockHolder holder : lock.holders()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  held by   %-10s fencing token %d, expires in %s",
                    holder.clientName().orElse("?"),
                    holder.fencingToken().orElse(0),
                    holder.remaining().map(DurationText::of).orElse("never")));
        }
        if (lock.holders().isEmpty()) {
            lines.add("  held by   none");
        }
        lines.add("  queue     "
                + lock.queue().stream()
                        .map((LockWaiter waiter) -> waiter.clientName().orElse("?"))
                        .collect(Collectors.joining(", ")));
    }

    private String worker(String name, History history) {
        long locks = count(history, name, Resource.LOCK);
        long permits = count(history, name, Resource.SEMAPHORE);
        boolean killed = history.first(Event.Kind.KILLED)
                .filter(kill -> kill.worker().equals(name))
                .isPresent();
        return String.format(
                Locale.ROOT,
                "%-10s pid %-8d %3d times in the lock, %3d in the semaphore%s",
                name,
                processes.pid(name),
                locks,
                permits,
                killed ? ", killed (kill -9)" : "");
    }

    private static long count(History history, String name, Resource resource) {
        return history.entries(resource).stream()
                .filter(event -> event.worker().equals(name))
                .count();
    }

    @Override
    public boolean quitWithin(Duration time) throws InterruptedException {
        return screen.quitWithin(time);
    }

    @Override
    public void close() {
        screen.close();
    }
}
