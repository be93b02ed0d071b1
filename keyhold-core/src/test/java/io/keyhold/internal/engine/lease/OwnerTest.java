package io.keyhold.internal.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnerTest {

    private final Owner owner = new Owner(Thread.currentThread());

    @Test
    void aLossInterruptsTheOwnerOnce() {
        owner.interrupt();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(owner.leave()).as("it was interrupted").isTrue();
    }

    @Test
    void anInterruptThatComesAfterTheReleaseDoesNotReachTheThread() {
        assertThat(owner.leave()).isFalse();
        owner.interrupt();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void nobodyIsInterruptedForALeaseWithoutOwner() {
        Owner nobody = new Owner(null);
        nobody.interrupt();
        assertThat(nobody.leave()).isFalse();
    }
}
