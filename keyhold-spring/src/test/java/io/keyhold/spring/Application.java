package io.keyhold.spring;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** An application context with a client in memory, and another client that sees the same locks. */
final class Application implements AutoCloseable {

    private final InMemorySpace space = InMemorySpace.create();
    private final Keyhold other = Keyhold.builder().inMemory(space).build();
    private final List<KeyholdListener.Request> requests = new CopyOnWriteArrayList<>();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    private Application(Map<String, Object> properties, Class<?>... beans) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.registerBean("keyhold", Keyhold.class, this::client);
        context.register(KeyholdConfiguration.class);
        context.register(beans);
    }

    private Keyhold client() {
        return Keyhold.builder()
                .inMemory(space)
                .listener(new KeyholdListener() {
                    @Override
                    public void requested(Request request) {
                        requests.add(request);
                    }
                })
                .build();
    }

    /** Started with these beans. */
    static Application start(Class<?>... beans) {
        return start(Map.of(), beans);
    }

    /** Started with these properties and beans. */
    static Application start(Map<String, Object> properties, Class<?>... beans) {
        Application application = new Application(properties, beans);
        try {
            application.context.refresh();
        } catch (RuntimeException e) {
            application.close();
            throw e;
        }
        return application;
    }

    <T> T get(Class<T> type) {
        return context.getBean(type);
    }

    <T> T get(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    /** The client of another process. */
    Keyhold other() {
        return other;
    }

    /** Whether the plain lock on this key is held. */
    boolean isLocked(String key) {
        return other.lock(key).isLocked();
    }

    /** What was asked of the application's client so far. */
    List<KeyholdListener.Request> requests() {
        return requests;
    }

    /** Takes a lock away, and returns when its holder knows. */
    void lose(Lease lease) {
        other.inspect().forceRelease(lease.key());
        if (lease.extend(Duration.ofSeconds(30))) {
            throw new IllegalStateException("still held: " + lease.key());
        }
    }

    @Override
    public void close() {
        context.close();
        other.close();
    }
}
