package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Runs a command under a lock, permits of a semaphore, or a side of a read/write lock. */
final class RunCommand extends CommandUnderLock {

    private final AcquireOptions acquire = new AcquireOptions(this);
    private final Argument<String> onLost = text(
            "--on-lost",
            "ACTION",
            "What to do when the lock is lost: kill (the command and every process it started) or warn. Default: kill.");

    RunCommand() {
        super(
                "run",
                "KEY...",
                "The key of the lock; several keys are acquired all or none.",
                "Runs a command while holding a lock.");
        examples(
                "  keyhold run nightly-report -- ./report.sh --all",
                "  keyhold run deploy --no-wait -- ./deploy.sh",
                "  keyhold run gpu --of 4 --wait 10m -- ./train.py",
                "  keyhold run account:1 account:2 -- ./transfer.sh",
                "  keyhold run backup -c 'tar cz /srv | ssh vault store'");
        spec().usageMessage()
                .footerHeading(
                        "%nThe command gets KEYHOLD_KEY, KEYHOLD_TOKEN and KEYHOLD_FENCE in its environment; keyhold"
                                + " exits with the command's exit code, or with 201 busy, 202 timed out, 203 lost, 204 no server, 64"
                                + " wrong use.%n%nExamples:%n");
    }

    @Override
    void check(List<String> keys) {
        acquire.check(keys);
        kills();
    }

    @Override
    Lease acquire(Keyhold keyhold, List<String> keys, Duration length) throws InterruptedException {
        return acquire.acquire(keyhold, keys, length, true);
    }

    @Override
    boolean kills() {
        String action = onLost.orElse("kill");
        return switch (action.toLowerCase(Locale.ROOT)) {
            case "kill" -> true;
            case "warn" -> false;
            default -> throw CliException.usage("--on-lost must be kill or warn, was '" + action + "'");
        };
    }
}
