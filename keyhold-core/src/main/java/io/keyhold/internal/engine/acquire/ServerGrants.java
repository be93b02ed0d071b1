package io.keyhold.internal.engine.acquire;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSource;
import io.keyhold.internal.time.Scheduler;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * What this client has at one source of grants: the channel, the server's clock, and the requests with an entry in a queue there. A grant
 * is dated by the clock of the source that it came from: the servers of a cluster have a clock each, and dated by another one
 * a lease could seem valid after its end.
 */
final class ServerGrants implements GrantChannel.Listener {

    private final GrantRouter router;
    private final GrantChannel channel;
    private final ServerClock clock;
    private final Map<Long, GrantRouter.Waiter> waiters = new ConcurrentHashMap<>();
    private final Predicate<GrantRouter.Waiter> isHere;

    /** {@code isHere} tells whether the grants of a request still come from this source. */
    ServerGrants(
            GrantRouter router,
            GrantSource source,
            KeyholdClock clock,
            Scheduler scheduler,
            Predicate<GrantRouter.Waiter> isHere) {
        this.router = router;
        this.clock = new ServerClock(clock);
        this.channel = new GrantChannel(source, clock, scheduler, this);
        this.isHere = isHere;
    }

    GrantChannel channel() {
        return channel;
    }

    ServerClock clock() {
        return clock;
    }

    Map<Long, GrantRouter.Waiter> waiters() {
        return waiters;
    }

    @Override
    public boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /** Returns whether there is nothing to be closed and no request to be told. */
    boolean isIdle() {
        return !hasWaiters() && channel.address().isEmpty();
    }

    @Override
    public void granted(GrantNotice notice) {
        GrantRouter.Waiter request = waiters.get(notice.number());
        if (request != null) {
            request.grantArrives(DatedGrant.by(clock, notice));
        }
    }

    @Override
    public void freed(long number) {
        GrantRouter.Waiter request = waiters.get(number);
        if (request != null) {
            router.freed(request);
        }
    }

    /** Keys may have moved to another source. */
    void moved() {
        List.copyOf(waiters.values()).stream().filter(isHere.negate()).forEach(GrantRouter.Waiter::askAgain);
    }

    @Override
    public void ended() {
        clock.forget();
    }

    @Override
    public void interrupted(boolean openAgain) {
        for (GrantRouter.Waiter request : List.copyOf(waiters.values())) {
            if (openAgain || !request.isInOutage()) {
                request.askAgain();
            }
        }
    }
}
