package io.keyhold.benchmarks.failover;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Durable locks are held by one client at a time while their master fails over, in every way. */
class DurableFailoverTest {

    @Test
    @Tag("full")
    void noOverlapInTwoFailovers() throws InterruptedException {
        assertNoOverlap(Failovers.onSentinel(FailoverContender.KEYHOLD_DURABLE, 2));
    }

    @Test
    @Tag("nightly")
    void noOverlapInTwentyFailovers() throws InterruptedException {
        assertNoOverlap(Failovers.onSentinel(FailoverContender.KEYHOLD_DURABLE, 20));
    }

    @Test
    @Tag("full")
    void noOverlapInFailoverOfShard() throws InterruptedException {
        assertNoOverlap(Failovers.onCluster(FailoverContender.KEYHOLD_DURABLE, 1));
    }

    @Test
    @Tag("nightly")
    void noOverlapInTwentyFailoversOfShard() throws InterruptedException {
        assertNoOverlap(Failovers.onCluster(FailoverContender.KEYHOLD_DURABLE, 20));
    }

    private static void assertNoOverlap(FailoverRun.Report report) {
        assertThat(report.overlaps()).as(report.toString()).isZero();
        assertThat(report.backwards()).as(report.toString()).isZero();
    }
}
