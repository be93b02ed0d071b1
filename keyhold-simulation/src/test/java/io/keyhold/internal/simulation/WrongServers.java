package io.keyhold.internal.simulation;

import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Servers with one mutation each. */
final class WrongServers {

    private WrongServers() {}

    /**
     * Publishes each grant before it is made, and makes it only if the reply of PUBLISH counts a listener. Subscribers at
     * a replica receive it anyway.
     */
    static NodeStore publishingFirst(NodeStore right, SimulatedNode node) {
        return new DelegatingStore(right) {
            private final Map<String, QueuePlace> placesByToken = new HashMap<>();

            @Override
            public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
                request.ifBusy().place().ifPresent(place -> placesByToken.put(place.token(), place));
                String key = request.claim().key();
                return publishing(key, request.token(), () -> super.acquire(request, mode, sending));
            }

            @Override
            public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
                String key = request.claim().key();
                return publishing(key, request.token(), () -> super.release(request, mode));
            }

            /** All but the one that asks were the head for a moment. */
            private <T> T publishing(String key, String asking, Supplier<T> work) {
                List<LockWaiter> before = LeftoverCheck.snapshot(right, key).queue();
                T result = work.get();
                LockSnapshot after = LeftoverCheck.snapshot(right, key);
                before.stream()
                        .filter(waiter -> !after.queue().contains(waiter))
                        .map(LockWaiter::token)
                        .filter(token -> !token.equals(asking))
                        .filter(token -> after.holders().stream()
                                .noneMatch(hold -> hold.token().equals(token)))
                        .map(token -> Objects.requireNonNull(placesByToken.get(token)))
                        .forEach(this::publish);
                return result;
            }

            private void publish(QueuePlace place) {
                long fencingToken = node.clock().wallMillis() * 1_000;
                long micros = node.clock().monotonicNanos() / 1_000;
                GrantNotice notice = new GrantNotice(place.number(), fencingToken, micros);
                node.publishToReplicas(place.channel(), listener -> listener.granted(notice));
            }
        };
    }

    /** Frees the lock of any holder. */
    static NodeStore blindRelease(NodeStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
                return super.forceRelease(request.claim().key(), mode)
                        .thenCompose(freed -> super.release(request, mode));
            }
        };
    }

    /** Frees a lock that is to rest. */
    static NodeStore restlessRelease(NodeStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
                return super.release(request.resting(0), mode);
            }
        };
    }

    /** A withdrawal removes the entry from the queue, and ignores what was granted meanwhile. */
    static NodeStore withdrawalOnlyLeavesQueue(NodeStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
                return request.place().isEmpty()
                        ? super.release(request, mode)
                        : super.release(new ReleaseRequest(request.claim(), "unknown", request.place()), mode);
            }
        };
    }

    /** A withdrawal leaves the entry in the queue. */
    static NodeStore withdrawalKeepsPlace(NodeStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
                return super.release(ReleaseRequest.of(request.claim(), request.token()), mode);
            }
        };
    }

    /** A renewal takes the lock from any holder. */
    static NodeStore blindRenewal(NodeStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
                return super.renew(requests, mode).thenCompose(replies -> {
                    for (RenewRequest request : requests) {
                        super.forceRelease(request.claim().key(), mode);
                        super.acquire(taking(request), mode, () -> {});
                    }
                    return super.renew(requests, mode);
                });
            }
        };
    }

    private static AcquireRequest taking(RenewRequest request) {
        return new AcquireRequest(
                request.claim(),
                request.token(),
                request.leaseMillis(),
                AcquireRequest.IfFree.TAKE,
                AcquireRequest.IfBusy.GO_AWAY);
    }

    /** A release of permits that are no longer held returns them once more. */
    static NodeStore permitsComeBackTwice(NodeStore right) {
        return new DelegatingStore(right) {
            private int limit = Workload.PERMITS;

            @Override
            public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
                return super.release(request, mode).thenApply(reply -> {
                    if (reply instanceof HoldReply.NotHeld && request.place().isEmpty()) {
                        super.resize(request.claim().key(), Workload.PERMITS, ++limit, mode);
                    }
                    return reply;
                });
            }
        };
    }

    /** A reader need not wait for a writer. */
    static NodeStore readerBesideWriter(NodeStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
                return super.acquire(request, mode, sending)
                        .thenCompose(reply -> reply instanceof AcquireReply.Busy busy
                                        && request.claim() instanceof Claim.Permits wanted
                                        && wanted.permits() < Limit.READ_WRITE
                                ? super.acquire(beside(request, wanted, busy.holder()), mode, sending)
                                : CompletableFuture.completedStage(reply));
            }
        };
    }

    private static AcquireRequest beside(AcquireRequest request, Claim.Permits wanted, Optional<String> holder) {
        Claim claim = new Claim.Permits(wanted.key(), wanted.permits(), wanted.limit(), holder);
        return new AcquireRequest(claim, request.token(), request.leaseMillis(), request.ifFree(), request.ifBusy());
    }

    /** Of several locks, the last is not checked. */
    static NodeStore allButOne(NodeStore right) {
        return new DelegatingStore(right) {
            @Override
            public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
                return super.acquire(
                        request.claim() instanceof Claim.Locks all
                                ? new AcquireRequest(
                                        new Claim.Locks(
                                                all.keys().subList(0, all.keys().size() - 1), all.parts()),
                                        request.token(),
                                        request.leaseMillis(),
                                        request.ifFree(),
                                        request.ifBusy())
                                : request,
                        mode,
                        sending);
            }
        };
    }
}
