package io.keyhold.cli.demo;

import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.cli.view.Ages;
import io.keyhold.cli.view.Output;
import io.keyhold.cli.view.Plain;
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

/** The whole screen: what the server says of holders and queues, what became of the workers, and the last of what happened. */
final class TerminalStage implements Stage {

    private static final int LAST_LINES = 8;

    private final Screen screen;
    private final LockInspector inspector;
    private final Crew crew;
    private final Supplier<String> clock;
    private final Deque<String> last = new ArrayDeque<>();

    TerminalStage(Output output, LockInspector inspector, Crew crew, Supplier<String> clock) {
        this.screen = Screen.open(output);
        this.inspector = inspector;
        this.crew = crew;
        this.clock = clock;
    }

    @Override
    public void show(History history, List<String> news) {
        // Permits come and go too fast to be read, and stand above; the lock's line is the interesting one.
        news.stream()
                .filter(line -> !line.contains(Prize.SEMAPHORE.word() + "  "))
                .forEach(last::add);
        while (last.size() > LAST_LINES) {
            last.removeFirst();
        }
        int width = Screen.columns();
        screen.draw(frame(history).stream().map(line -> Plain.cut(line, width)).toList());
    }

    private List<String> frame(History history) {
        List<String> lines = new ArrayList<>();
        lines.add("keyhold demo    " + clock.get() + "    q ends it");
        lines.add("");
        for (Prize prize : Prize.values()) {
            try {
                prize(lines, prize, inspector.lock(prize.key()), history);
            } catch (StoreUnavailableException | StoreRefusedException e) {
                lines.add(String.valueOf(e.getMessage()));
            }
            lines.add("");
        }
        crew.names().forEach(name -> lines.add(worker(name, history)));
        lines.add("");
        lines.addAll(last);
        return lines;
    }

    private static void prize(List<String> lines, Prize prize, LockSnapshot lock, History history) {
        String detail = prize == Prize.LOCK
                ? history.handOvers() + " hand-overs"
                : lock.permits() - lock.availablePermits() + " of " + lock.permits() + " permits out";
        lines.add(String.format(Locale.ROOT, "%-11s %s", prize.word().toUpperCase(Locale.ROOT), detail));
        for (LockHolder holder : lock.holders()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  held by   %-10s fencing token %d, expires in %s",
                    holder.clientName().orElse("?"),
                    holder.fencingToken().orElse(0),
                    holder.remaining().map(Ages::text).orElse("never")));
        }
        if (lock.holders().isEmpty()) {
            lines.add("  held by   nobody");
        }
        lines.add("  queue     "
                + lock.queue().stream()
                        .map((LockWaiter waiter) -> waiter.clientName().orElse("?"))
                        .collect(Collectors.joining(", ")));
    }

    private String worker(String name, History history) {
        long locks = count(history, name, Prize.LOCK);
        long permits = count(history, name, Prize.SEMAPHORE);
        boolean dead = history.first(Event.Kind.KILLED)
                .filter(death -> death.worker().equals(name))
                .isPresent();
        return String.format(
                Locale.ROOT,
                "%-10s pid %-8d %3d times in the lock, %3d in the semaphore%s",
                name,
                crew.pid(name),
                locks,
                permits,
                dead ? ", killed (kill -9)" : "");
    }

    private static long count(History history, String name, Prize prize) {
        return history.entries(prize).stream()
                .filter(event -> event.worker().equals(name))
                .count();
    }

    @Override
    public boolean isLeftWithin(Duration moment) throws InterruptedException {
        return screen.isLeftWithin(moment);
    }

    @Override
    public void close() {
        screen.close();
    }
}
