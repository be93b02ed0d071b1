package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Closes clients when the context closes, between the end of work and the end of connections: after web servers, listeners and executors, which have higher
 * phases, and before connection factories, which have the phase 0 and stop before any bean is destroyed. So leases are released, and waiters end with
 * {@link io.keyhold.KeyholdClosedException}.
 *
 * <p>A context that only stops or pauses may start again, and a closed client cannot. It keeps its leases.
 */
final class KeyholdLifecycle implements SmartLifecycle {

    /** Web servers stop at {@code DEFAULT_PHASE - 2048}. */
    static final int PHASE = DEFAULT_PHASE - 4096;

    private final ConfigurableApplicationContext context;
    private final ObjectProvider<Keyhold> clients;
    private volatile boolean running;

    KeyholdLifecycle(ConfigurableApplicationContext context, ObjectProvider<Keyhold> clients) {
        this.context = context;
        this.clients = clients;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (context.isClosed()) {
            clients.stream().forEach(Keyhold::close);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
