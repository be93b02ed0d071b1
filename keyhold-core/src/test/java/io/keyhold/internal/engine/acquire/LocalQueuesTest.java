package io.keyhold.internal.engine.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LocalQueuesTest {

    private final LocalQueues<String, String> queues = new LocalQueues<>(waiter -> false);

    @Test
    void requestsArePromotedInOrder() {
        assertThat(queues.enter("a", "one")).isTrue();
        assertThat(queues.enter("a", "two")).isFalse();
        assertThat(queues.enter("a", "three")).isFalse();
        assertThat(queues.enter("b", "elsewhere")).isTrue();
        assertThat(queues.head("a")).contains("one");
        assertThat(queues.next("a")).contains("two");
        assertThat(queues.head("a")).contains("two");
        assertThat(queues.next("a")).contains("three");
        assertThat(queues.next("a")).isEmpty();
        assertThat(queues.next("b")).isEmpty();
        assertThat(queues.queues).isEmpty();
    }

    @Test
    void withdrawnRequestIsNotPromotedAndHeadCannotLeave() {
        queues.enter("a", "one");
        queues.enter("a", "two");
        queues.enter("a", "three");
        queues.leave("a", "two");
        queues.leave("a", "one");
        queues.leave("nowhere", "one");
        assertThat(queues.head("a")).contains("one");
        assertThat(queues.next("a")).contains("three");
    }

    @Test
    void headIsReplacedByItsLease() {
        queues.enter("a", "one");
        queues.enter("a", "two");
        queues.become("a", "one", "lease of one");
        assertThat(queues.head("a")).contains("lease of one");
        assertThat(queues.next("a")).contains("two");
    }

    @Test
    void formerHeadReplacesNothing() {
        queues.enter("a", "one");
        queues.enter("a", "two");
        queues.next("a");
        queues.become("a", "one", "lease of one");
        assertThat(queues.head("a")).contains("two");
    }

    @Test
    void emptyLocalQueueAdmitsNext() {
        queues.enter("a", "one");
        queues.next("a");
        assertThat(queues.enter("a", "two")).isTrue();
    }
}
