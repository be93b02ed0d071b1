package io.keyhold.cli.demo;

import io.keyhold.cli.view.Output;
import java.time.Duration;
import java.util.List;

/** Lines as things happen, for a pipe or a file. */
final class PipeStage implements Stage {

    private final Output output;

    PipeStage(Output output) {
        this.output = output;
    }

    @Override
    public void show(History history, List<String> news) {
        output.lines(news);
    }

    @Override
    public boolean isLeftWithin(Duration moment) throws InterruptedException {
        Thread.sleep(moment.toMillis());
        return output.isBroken();
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
