package io.keyhold.console;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** A process of the soak run: {@code work URI NAME} fights for the locks, {@code hold URI KEY} holds one until it is killed. */
final class SoakWorker {

    private static final int THREADS = 4;

    private SoakWorker() {}

    public static void main(String... arguments) throws InterruptedException, IOException {
        if (arguments[0].equals("work")) {
            work(arguments[1], arguments[2]);
        } else {
            hold(arguments[1], arguments[2]);
        }
        // Ends with its parent.
        while (System.in.read() >= 0) {}
        System.exit(0);
    }

    private static void hold(String uri, String key) throws InterruptedException {
        Keyhold client = Keyhold.builder().uri(uri).clientName("victim").build();
        client.lock(
                        key,
                        LockOptions.builder()
                                .lease(Duration.ofSeconds(4))
                                .renew(true)
                                .build())
                .acquire();
        System.out.println("held");
    }

    private static void work(String uri, String name) {
        Keyhold client = Keyhold.builder()
                .uri(uri)
                .clientName(name)
                .listener(EventStreamListener.to(JedisDriver.open(RedisUri.parse(uri))))
                .build();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> fight(client));
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void fight(Keyhold client) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (true) {
            try {
                Optional<Lease> lease =
                        client.lock("soak:" + random.nextInt(ConsoleSoak.LOCKS)).tryAcquire(Duration.ofSeconds(5));
                if (lease.isPresent()) {
                    try (Lease held = lease.get()) {
                        Thread.sleep(random.nextInt(20, 400));
                        held.isHeld();
                    }
                }
            } catch (KeyholdException outage) {
                // The next attempt waits for the server.
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
