package io.keyhold.internal.simulation;

import io.keyhold.KeyholdClock;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.ForwardingListener;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallMode;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Clients with one mutation each. */
final class WrongClients {

    private WrongClients() {}

    /** Receives no grant. */
    static LockStore deaf(LockStore right) {
        return hearing(right, (notice, listener) -> {});
    }

    /** Is not told to ask, so that the head of a queue does not learn when a rest ends. */
    static LockStore deafToRests(LockStore right) {
        return listening(right, listener -> new ForwardingListener(listener) {
            @Override
            public void freed(long number) {}
        });
    }

    /** Counts a lease that was handed over from when the message arrives. */
    static LockStore countingFromMessage(LockStore right) {
        return hearing(
                right,
                (notice, listener) -> listener.granted(
                        new GrantNotice(notice.number(), notice.fencingToken(), notice.atMicros() + 3_600_000_000L)));
    }

    /** Does not notice that its grant channel has ended. */
    static LockStore withoutEnds(LockStore right) {
        return listening(right, listener -> new ForwardingListener(listener) {
            @Override
            public void ended(Throwable reason) {}
        });
    }

    private interface Hearing {
        void granted(GrantNotice notice, GrantSubscription.Listener listener);
    }

    private static LockStore hearing(LockStore right, Hearing hearing) {
        return listening(right, listener -> new ForwardingListener(listener) {
            @Override
            public void granted(GrantNotice notice) {
                hearing.granted(notice, listener);
            }
        });
    }

    private static LockStore listening(LockStore right, UnaryOperator<GrantSubscription.Listener> wrong) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
                return super.openGrantChannel(wrong.apply(listener));
            }
        };
    }

    /** Does not take note of when a request is sent, so that its lease counts from when it entered the client's own queue. */
    static LockStore countingFromLocalQueue(LockStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
                return super.acquire(request, mode, () -> {});
            }
        };
    }

    /** Takes every failure of its store for one that does not pass, and does not wait for its return. */
    static LockStore failingAtOnce(LockStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
                return super.acquire(request, mode, sending)
                        .handle((reply, failure) -> failure == null
                                ? CompletableFuture.completedStage(reply)
                                : CompletableFuture.<AcquireReply>failedStage(new StoreUnavailableException(
                                        String.valueOf(failure.getMessage()),
                                        true,
                                        new IllegalStateException(failure))))
                        .thenCompose(stage -> stage);
            }
        };
    }

    /** A clock that can be put back. */
    static final class SettableClock implements KeyholdClock {

        private final KeyholdClock right;
        private long backNanos;

        SettableClock(KeyholdClock right) {
            this.right = right;
        }

        void putBack(long nanos) {
            backNanos += nanos;
        }

        @Override
        public long monotonicNanos() {
            return right.monotonicNanos() - backNanos;
        }

        @Override
        public long wallMillis() {
            return right.wallMillis() - backNanos / 1_000_000;
        }
    }

    /** No time passes for a client between an acquire or a renewal and its reply. */
    static LockStore countingFromReply(LockStore right, SettableClock clock) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
                return timeless(clock, super.acquire(request, mode, sending));
            }

            @Override
            public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
                return timeless(clock, super.renew(requests, mode));
            }
        };
    }

    private static <T> CompletionStage<T> timeless(SettableClock clock, CompletionStage<T> reply) {
        long sent = clock.monotonicNanos();
        return reply.thenApply(value -> {
            clock.putBack(Math.max(0, clock.monotonicNanos() - sent));
            return value;
        });
    }

    /** By which no lease ever ends. */
    static final class StoppedClock implements KeyholdClock {

        @Override
        public long monotonicNanos() {
            return 1;
        }

        @Override
        public long wallMillis() {
            return 1;
        }
    }

    /** A renewal without a reply counts as one. */
    static LockStore takingSilenceForRenewal(LockStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
                return super.renew(requests, mode)
                        .exceptionally(failure -> Collections.nCopies(requests.size(), HoldReply.DONE));
            }
        };
    }
}
