package io.keyhold.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a real JVM. */
class WorkerProcessTest {
    @TempDir
    private Path temporary;

    @Test
    void runsEveryKindOfCommand() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                WorkerProcess worker = WorkerProcess.start(temporary.resolve("worker.log"))) {
            worker.send("open raw-jedis " + server.uri() + " 0");
            worker.await("ready");

            worker.loop(new LoopPlan(2, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE, Target.LOCK), "loop");
            worker.send("measure");
            worker.await("measuring");
            Thread.sleep(100);
            worker.send("halt");
            worker.await("halted");
            worker.send("end");
            LoopResult result = worker.loopResult();
            assertThat(result.holds()).isPositive();
            assertThat(result.violations()).isZero();

            worker.send("handover key");
            worker.await("prepared");
            worker.send("acquire");
            worker.await("acquiring");
            assertThat(worker.await("acquired")).matches("acquired \\d+");
            worker.send("release");
            assertThat(worker.await("released")).matches("released \\d+");

            worker.send("hold 0 20 held");
            worker.await("holding");
            assertThat(worker.usedHeap()).isPositive();
            assertThat(worker.processorTime()).isPositive();
        }
    }

    @Test
    void failureIsReported() throws Exception {
        try (WorkerProcess worker = WorkerProcess.start(temporary.resolve("worker.log"))) {
            worker.send("measure");
            assertThatThrownBy(() -> worker.await("measuring")).hasMessageContaining("loop first");
            worker.send("unheard-of");
            assertThatThrownBy(() -> worker.await("done")).hasMessageContaining("unknown command: unheard-of");
        }
    }
}
