package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.cli.view.LockJson;
import io.keyhold.cli.view.LockTable;
import io.keyhold.cli.view.TextWidth;
import io.keyhold.console.internal.JsonText;
import io.keyhold.console.internal.Printable;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/** Lists the locks that are held, once or repeatedly. */
final class LsCommand extends CliCommand {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(50);

    private final ServerOptions server = new ServerOptions(this, false);
    private final Argument<String> pattern = optionalParameter(
            "PATTERN",
            "Only keys that match this Redis pattern: * matches any characters, ? one character. Default: all.");
    private final Argument<Boolean> json = flag("--json", "Print JSON; with --watch one line each time.");
    private final Argument<Boolean> watch = add(OptionSpec.builder("-w", "--watch")
            .description("Repeat: in place on a terminal, until q or Ctrl-C; in a pipe one block after another."));
    private final Argument<Duration> intervalGiven =
            duration("--interval", "The time between repetitions of --watch. Default: 1s.");
    private final Output output = new Output();

    LsCommand() {
        super("Lists the locks that are held, with their holders.");
        examples(
                "  keyhold ls",
                "  keyhold ls 'invoice:*' --watch",
                "  keyhold ls --json | jq -r '.[] | select(.waiterCount > 0) | .key'");
    }

    @Override
    public Integer call() throws InterruptedException {
        Duration interval = intervalGiven.orElse(Duration.ofSeconds(1));
        CliException.refuse(
                interval.compareTo(SHORTEST_INTERVAL) < 0,
                "--interval must be at least " + Durations.text(SHORTEST_INTERVAL) + ", was "
                        + Durations.text(interval));
        try (Keyhold keyhold = server.connection().client("keyhold-ls")) {
            LockInspector inspector = keyhold.inspect();
            List<LockSnapshot> locks = list(inspector);
            if (!watch.isGiven()) {
                output.lines(json.isGiven() ? List.of(JsonText.indented(LockJson.locks(locks))) : table(locks));
            } else if (json.isGiven() || !Terminal.OUTPUT.draws()) {
                stream(inspector, locks, interval);
            } else {
                live(inspector, locks, interval);
            }
        }
        return ExitCode.OK;
    }

    private List<LockSnapshot> list(LockInspector inspector) {
        return inspector.list(pattern.orElse("*"));
    }

    private void stream(LockInspector inspector, List<LockSnapshot> first, Duration interval)
            throws InterruptedException {
        for (List<LockSnapshot> locks = first; !output.isBroken(); locks = list(inspector)) {
            // A block of lines is followed by an empty one.
            output.line(json.isGiven() ? JsonText.of(LockJson.locks(locks)) : String.join("\n", table(locks)) + "\n");
            Thread.sleep(interval.toMillis());
        }
    }

    /** Continues while the server cannot be reached, and shows the error meanwhile. */
    private void live(LockInspector inspector, List<LockSnapshot> first, Duration interval)
            throws InterruptedException {
        try (Screen screen = Screen.open(output)) {
            Screen.Size size = Screen.size();
            List<String> content = table(first, size.columns());
            screen.draw(frame(content, interval, size.columns()), size.rows());
            while (!output.isBroken() && !screen.quitWithin(interval)) {
                size = Screen.size();
                content = tableOrError(inspector, size.columns());
                screen.draw(frame(content, interval, size.columns()), size.rows());
            }
        }
    }

    private List<String> tableOrError(LockInspector inspector, int columns) {
        try {
            return table(list(inspector), columns);
        } catch (StoreUnavailableException | StoreRefusedException e) {
            return List.of(TextWidth.cut(Printable.text(String.valueOf(e.getMessage())), columns));
        }
    }

    private List<String> frame(List<String> content, Duration interval, int columns) {
        List<String> lines = new ArrayList<>();
        String title = Printable.text(pattern.orElse("locks"));
        lines.add(TextWidth.cut(title + ", every " + Durations.text(interval) + "; q quits", columns));
        lines.add("");
        lines.addAll(content);
        return lines;
    }

    private static List<String> table(List<LockSnapshot> locks) {
        return Terminal.OUTPUT.isOpen()
                ? table(locks, Screen.size().columns())
                : LockTable.of(locks, Instant.now()).lines();
    }

    private static List<String> table(List<LockSnapshot> locks, int columns) {
        List<String> lines = new ArrayList<>(LockTable.of(locks, Instant.now()).lines(columns));
        if (Terminal.OUTPUT.hasColours()) {
            lines.set(0, "\u001b[1m" + lines.get(0) + "\u001b[0m");
        }
        if (locks.isEmpty()) {
            lines.add("(no lock is held)");
        }
        return lines;
    }
}
