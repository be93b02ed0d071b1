package io.keyhold.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real JVM, spoken to in lines. */
class WorkerProcessTest {
    @TempDir
    private Path temporary;

    @Test
    void loopsAndHandsOver() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                WorkerProcess worker = WorkerProcess.start(temporary.resolve("worker.log"))) {
            worker.order("open raw-jedis " + server.uri() + " 0");
            worker.await("ready");

            worker.loop(new LoopPlan(2, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE), "loop");
            worker.order("measure");
            worker.await("measuring");
            Thread.sleep(100);
            worker.order("halt");
            worker.await("halted");
            worker.order("end");
            LoopResult result = worker.loopResult();
            assertThat(result.holds()).isPositive();
            assertThat(result.violations()).isZero();

            worker.order("baton pass");
            worker.await("baton");
            worker.order("enter");
            worker.await("asking");
            assertThat(worker.await("entered")).matches("entered \\d+");
            worker.order("leave");
            assertThat(worker.await("left")).matches("left \\d+");
        }
    }

    @Test
    void tellsWhatWentWrong() throws Exception {
        try (WorkerProcess worker = WorkerProcess.start(temporary.resolve("worker.log"))) {
            worker.order("measure");
            assertThatThrownBy(() -> worker.await("measuring")).hasMessageContaining("loop first");
            worker.order("dance");
            assertThatThrownBy(() -> worker.await("dancing")).hasMessageContaining("no such order: dance");
        }
    }
}
