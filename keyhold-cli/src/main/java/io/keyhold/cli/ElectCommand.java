package io.keyhold.cli;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Runs a command while this candidate is the leader of a role. The role is a lock of the same name, as in {@code
 * Keyhold.election}; the launcher calls this again when the lock was lost.
 */
final class ElectCommand extends CommandUnderLock {

    private static final long RETRY_MILLIS = 1_000;

    ElectCommand() {
        super(
                "elect",
                "ROLE",
                "The name of the role, the same for all candidates.",
                "Runs a command on one of many machines: on the leader of this role.",
                "Waits until this candidate is elected, and runs the command. If the leadership is lost, stops the command,"
                        + " stands for election again, and starts the command again when it is elected. Ends with the command.");
        examples(
                "  keyhold elect scheduler -- ./scheduler.sh",
                "  keyhold elect scheduler --lease 10s -- ./scheduler.sh");
    }

    @Override
    void check(List<String> keys) {
        KeyRules.checkAcquirable(keys);
        CliException.refuse(keys.size() > 1, "elect needs a single role, was given " + String.join(", ", keys));
    }

    /**
     * Waits through any outage, a server that refuses while it loads its data included: leaders are lost by outages, and a candidate that gave up
     * would not come back. Only the first contact fails at once, because the address may be wrong; but not that of a leader that stands again, which
     * the launcher tells.
     */
    @Override
    Lease acquire(Keyhold keyhold, List<String> keys, Duration length) throws InterruptedException {
        DistributedLock role = keyhold.lock(
                keys.get(0), LockOptions.builder().lease(length).renew(true).build());
        boolean reached = Boolean.getBoolean("keyhold.elect.again");
        boolean told = false;
        while (true) {
            try {
                if (!reached) {
                    Optional<Lease> free = role.tryAcquire();
                    reached = true;
                    if (free.isPresent()) {
                        return free.get();
                    }
                }
                return role.acquire();
            } catch (StoreUnavailableException | StoreRefusedException outage) {
                if (!reached) {
                    throw outage;
                }
                if (!told) {
                    told = true;
                    Diagnostics.print(
                            "the election of " + keys.get(0) + " waits for the server: " + outage.getMessage());
                }
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }
}
