package io.keyhold.cli.view;

import io.keyhold.console.internal.Printable;
import io.keyhold.doctor.LateExpiry;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.inspect.NodeSnapshot;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Everything about one lock, as text. Tokens are not cut, because users copy them. */
public final class LockPage {

    private final List<String> lines = new ArrayList<>();
    private final Instant now;
    private final Optional<Instant> serverTime;

    private LockPage(Instant now, Optional<Instant> serverTime) {
        this.now = now;
        this.serverTime = serverTime;
    }

    /** Returns the lines of the page; with the quorum's state, or for a single server with its time if it is known. */
    public static List<String> of(
            LockSnapshot lock, Optional<QuorumSnapshot> quorum, Instant now, Optional<Instant> serverTime) {
        LockPage page = new LockPage(now, serverTime);
        page.head(lock);
        lock.holders().forEach(holder -> page.holder(lock, holder));
        page.more("  and %d more holders", lock.holderCount() - lock.holders().size());
        page.queue(lock);
        page.nodes(lock.nodes(), quorum);
        return page.lines;
    }

    private void head(LockSnapshot lock) {
        field("key", lock.key());
        field(
                "kind",
                switch (lock.kind()) {
                    case LOCK -> "lock";
                    case SEMAPHORE ->
                        "semaphore, " + lock.availablePermits() + " of " + lock.permits() + " permits free";
                    case READ_WRITE -> "read/write lock";
                });
        field("holders", lock.isHeld() ? Long.toString(lock.holderCount()) : "none");
        if (lock.isDisputed()) {
            field("disputed", "the nodes have different holders; a majority decides");
        }
    }

    private void holder(LockSnapshot lock, LockHolder holder) {
        lines.add("");
        detail("holder", holder.foreign() ? "foreign: not a Keyhold client" : LockTable.name(holder));
        holder.clientName().ifPresent(label -> detail("label", label));
        switch (lock.kind()) {
            case LOCK -> {}
            case SEMAPHORE -> detail("permits", Integer.toString(holder.permits()));
            case READ_WRITE -> detail("mode", LockTable.side(holder.mode()));
        }
        detail("token", holder.token());
        holder.fencingToken().ifPresent(fence -> detail("fence", Long.toString(fence)));
        holder.heldSince()
                .ifPresent(
                        since -> detail("since", since + " (" + DurationText.of(Duration.between(since, now)) + ")"));
        detail(
                "expires",
                holder.remaining().map(left -> "in " + DurationText.of(left)).orElse("never"));
        serverTime
                .flatMap(time -> LateExpiry.of(holder, time))
                .ifPresent(late -> detail(
                        "warning",
                        "ends " + DurationText.of(late)
                                + " too late or more, because the server's clock was set back after the grant; if the"
                                + " holder is gone, use keyhold release --force"));
    }

    private void queue(LockSnapshot lock) {
        lines.add("");
        field(
                "queue",
                lock.waiterCount() == 0
                        ? "no waiters"
                        : lock.waiterCount() + (lock.waiterCount() == 1 ? " waiter" : " waiters"));
        if (lock.queue().isEmpty()) {
            return;
        }
        Table table = new Table("  #", "WAITER", "LABEL", "REQUEST", "WAITED", "TOKEN");
        int position = 1;
        for (LockWaiter waiter : lock.queue()) {
            table.add(
                    "  " + position++,
                    waiter.host().orElse("?") + ":"
                            + (waiter.processId().isPresent()
                                    ? waiter.processId().getAsLong()
                                    : "?"),
                    waiter.clientName().orElse("-"),
                    request(lock, waiter),
                    DurationText.of(Duration.between(waiter.waitingSince(), now)),
                    waiter.token());
        }
        lines.addAll(table.lines());
        more("  and %d more", lock.waiterCount() - lock.queue().size());
    }

    private static String request(LockSnapshot lock, LockWaiter waiter) {
        return switch (lock.kind()) {
            case LOCK -> "lock";
            case SEMAPHORE -> waiter.permits() == 1 ? "1 permit" : waiter.permits() + " permits";
            case READ_WRITE -> LockTable.side(waiter.mode());
        };
    }

    private void nodes(List<NodeSnapshot> nodes, Optional<QuorumSnapshot> quorum) {
        if (nodes.isEmpty()) {
            return;
        }
        lines.add("");
        field("quorum", quorum.map(LockPage::votes).orElse(nodes.size() + " nodes"));
        Table table = new Table("  NODE", "VOTES", "HOLDER", "FENCE", "EXPIRES IN");
        for (NodeSnapshot node : nodes) {
            Optional<LockHolder> holder = node.holder();
            table.add(
                    "  " + node.address(),
                    quorum.map(known -> canVote(known, node.address())).orElse("?"),
                    node.error()
                            .map(error -> "? " + error)
                            .orElseGet(() -> holder.map(LockTable::name).orElse("none")),
                    holder.map(LockHolder::fencingToken)
                            .filter(fence -> fence.isPresent())
                            .map(fence -> Long.toString(fence.getAsLong()))
                            .orElse("-"),
                    holder.map(LockTable::expiresIn).orElse("-"));
        }
        lines.addAll(table.lines());
    }

    private static String votes(QuorumSnapshot quorum) {
        long voting = quorum.nodes().stream().filter(QuorumNode::canVote).count();
        return voting + " of " + quorum.nodes().size() + " nodes can vote"
                + (quorum.hasQuorum() ? "" : ": no majority, no lock can be acquired");
    }

    private static String canVote(QuorumSnapshot quorum, String address) {
        return quorum.nodes().stream()
                .filter(node -> node.address().equals(address))
                .map(node -> node.canVote()
                        ? "yes"
                        : node.quarantine()
                                .map(left -> "quarantined for " + DurationText.of(left))
                                .orElse("no"))
                .findFirst()
                .orElse("?");
    }

    private void more(String text, long count) {
        if (count > 0) {
            lines.add(String.format(Locale.ROOT, text, count));
        }
    }

    private void field(String name, String value) {
        lines.add(String.format(Locale.ROOT, "%-10s%s", name, Printable.text(value)));
    }

    private void detail(String name, String value) {
        lines.add(String.format(Locale.ROOT, "  %-10s%s", name, Printable.text(value)));
    }
}
