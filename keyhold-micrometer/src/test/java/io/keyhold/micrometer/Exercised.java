package io.keyhold.micrometer;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener.Ended;
import io.keyhold.KeyholdListener.NotGranted;
import io.keyhold.KeyholdListener.Renewal;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;

/** A client that has done everything that has a meter. */
final class Exercised {

    private Exercised() {}

    static void in(MeterRegistry registry) throws InterruptedException {
        KeyholdMetrics metrics = new KeyholdMetrics(registry);
        Reported events = new Reported(metrics);
        try (Keyhold one = Keyhold.inMemory();
                Keyhold two = Keyhold.inMemory();
                Keyhold three = Keyhold.inMemory();
                Keyhold keyhold = Keyhold.builder()
                        .quorumOfClients(
                                List.of(one, two, three),
                                QuorumOptions.builder()
                                        .nodeTimeout(Duration.ofSeconds(5))
                                        .admitFreshNodes(true)
                                        .build())
                        .defaults(LockOptions.builder()
                                .lease(Duration.ofSeconds(6))
                                .renew(true)
                                .build())
                        .listener(events)
                        .build()) {
            metrics.bindTo(keyhold);
            Lease lease = keyhold.lock("order:1").acquire();
            events.await(Renewal.class);
            keyhold.lock("order:1").tryAcquire();
            events.await(NotGranted.class);
            keyhold.inspect().forceRelease("order:1");
            lease.release();
            events.await(Ended.class);
        }
    }
}
