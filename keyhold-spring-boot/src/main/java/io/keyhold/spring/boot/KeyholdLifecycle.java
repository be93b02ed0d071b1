package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Closes clients when the context closes, between the end of work and the end of connections: after web servers, listeners, executors and schedulers,
 * which have higher phases and wait there for the tasks that run, and before connection factories, which have the phase 0 and stop before any bean is
 * destroyed. So leases are released, and waiters end with {@link io.keyhold.KeyholdClosedException}.
 *
 * <p>A context that only stops or pauses may start again, and a closed client cannot. It keeps its leases.
 */
final class KeyholdLifecycle implements SmartLifecycle {

    /** Executors and schedulers, the last that may run methods under locks, stop at {@code Integer.MAX_VALUE / 2}. */
    static final int PHASE = Integer.MAX_VALUE / 4;

    private final ConfigurableApplicationContext context;
    private volatile boolean running;

    KeyholdLifecycle(ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (context.isClosed()) {
            closeClients(context.getBeanFactory());
        }
    }

    /** Without those of a parent context, which may go on, and without lazy ones that were not created. */
    private static void closeClients(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(Keyhold.class, false, false)) {
            if (beans.containsSingleton(name)) {
                beans.getBean(name, Keyhold.class).close();
            }
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
