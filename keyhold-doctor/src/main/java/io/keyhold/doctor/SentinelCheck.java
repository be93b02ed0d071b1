package io.keyhold.doctor;

import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whether the sentinels reply, know the master and agree about it, and can replace it. */
final class SentinelCheck extends Check {

    private static final int ENOUGH_SENTINELS = 3;

    private final String masterName;
    private final List<Server> sentinels;
    private Optional<RedisAddress> master = Optional.empty();

    /** Asks these sentinels for the master of this name. */
    SentinelCheck(String masterName, List<Server> sentinels) {
        super("sentinels");
        this.masterName = masterName;
        this.sentinels = sentinels;
    }

    /** Returns the master by the newest configuration, if the check has found one. */
    Optional<RedisAddress> master() {
        return master;
    }

    @Override
    Finding run() {
        List<View> views = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (Server sentinel : sentinels) {
            try {
                views.add(View.of(sentinel, masterName));
            } catch (RedisErrorException | RedisConnectionException failure) {
                failures.add(sentinel.address() + ": " + failure.getMessage());
            }
        }
        Optional<View> newest = views.stream().max(Comparator.comparingLong(view -> view.number("config-epoch")));
        if (newest.isEmpty()) {
            return fail(
                    "no sentinel knows the master '" + masterName + "' (" + String.join("; ", failures) + ")",
                    "Without the address of the master no lock can be acquired or renewed.",
                    "Check the parameter master, the addresses of the sentinels (port 26379) and sentinelPassword in the URI.");
        }
        View view = newest.get();
        master = Optional.of(view.address());
        String seen = views.size() + " of " + sentinels.size() + " sentinels know the master '" + masterName
                + "', which is " + view.address();
        List<String> troubles = new ArrayList<>(failures);
        troubles.addAll(troubles(view, views));
        if (troubles.isEmpty()) {
            return ok(seen + ", with " + view.number("num-slaves") + " replicas");
        }
        return warn(
                seen + "; " + String.join("; ", troubles),
                "A failover may be in progress, or the sentinels may not be able to replace a master that fails: its locks"
                        + " could then be neither acquired nor renewed.",
                "Restart what is missing; use at least three sentinels on different machines, and at least one replica.");
    }

    private static List<String> troubles(View view, List<View> views) {
        List<String> troubles = new ArrayList<>();
        TreeSet<String> named =
                views.stream().map(each -> each.address().toString()).collect(Collectors.toCollection(TreeSet::new));
        if (named.size() > 1) {
            troubles.add("they name different masters: " + String.join(", ", named));
        }
        if (view.text("flags").contains("down")) {
            troubles.add("it is considered down (" + view.text("flags") + ")");
        }
        long known = view.number("num-other-sentinels") + 1;
        if (known < ENOUGH_SENTINELS) {
            troubles.add(known == 1 ? "there is one sentinel only" : "there are two sentinels only");
        }
        if (view.number("quorum") > known) {
            troubles.add("their quorum is " + view.number("quorum") + " of " + known);
        }
        if (view.number("num-slaves") == 0) {
            troubles.add("there is no replica");
        }
        return troubles;
    }

    /** The reply of one sentinel to SENTINEL MASTER: names and values in turn. */
    private record View(Map<String, String> fields) {

        static View of(Server sentinel, String master) {
            Map<String, String> fields = new HashMap<>();
            if (sentinel.call("SENTINEL", "MASTER", master) instanceof List<?> reply) {
                for (int i = 0; i + 1 < reply.size(); i += 2) {
                    fields.put(String.valueOf(reply.get(i)), String.valueOf(reply.get(i + 1)));
                }
            }
            return new View(fields);
        }

        RedisAddress address() {
            return new RedisAddress(text("ip"), (int) number("port"));
        }

        String text(String field) {
            return fields.getOrDefault(field, "");
        }

        long number(String field) {
            return Long.parseLong(fields.getOrDefault(field, "0"));
        }
    }
}
