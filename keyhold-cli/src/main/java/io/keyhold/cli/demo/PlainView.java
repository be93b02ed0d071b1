package io.keyhold.cli.demo;

import io.keyhold.cli.view.Output;
import java.time.Duration;
import java.util.List;

/** Prints one line per event, for a pipe or a file. */
final class PlainView implements DemoView {

    private final Output output;

    PlainView(Output output) {
        this.output = output;
    }

    @Override
    public void show(History history, List<String> newLines) {
        output.lines(newLines);
    }

    @Override
    public boolean quitWithin(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
        return output.isBroken();
    }

    @Override
    public void close() {
        // Nothing to close.
    }
}
