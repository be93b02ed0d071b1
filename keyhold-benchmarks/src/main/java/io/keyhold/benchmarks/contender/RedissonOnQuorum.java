package io.keyhold.benchmarks.contender;

import java.util.List;
import java.util.function.Function;
import org.redisson.RedissonMultiLock;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Redisson's locks on several servers: one client and one lock for each, as its documentation shows. */
final class RedissonOnQuorum implements LockClient {
    private final List<RedissonClient> clients;
    private final Function<RLock[], RLock> kind;

    private RedissonOnQuorum(List<RedissonClient> clients, Function<RLock[], RLock> kind) {
        this.clients = clients;
        this.kind = kind;
    }

    /** Opens the lock that needs a majority. It is deprecated, and Redisson's only lock that tolerates the loss of a server. */
    @SuppressWarnings("deprecation")
    static LockClient openRedLock(OpenOptions options) {
        return open(options, RedissonRedLock::new);
    }

    /** Opens the lock that needs all servers. */
    static LockClient openMultiLock(OpenOptions options) {
        return open(options, RedissonMultiLock::new);
    }

    private static LockClient open(OpenOptions options, Function<RLock[], RLock> kind) {
        return new RedissonOnQuorum(
                options.each().stream().map(RedissonLocks::connect).toList(), kind);
    }

    @Override
    public LockHandle lock(String key) {
        RLock lock =
                kind.apply(clients.stream().map(client -> client.getLock(key)).toArray(RLock[]::new));
        return new LockHandle() {
            @Override
            public void acquire() throws InterruptedException {
                lock.lockInterruptibly();
            }

            @Override
            public void release() {
                lock.unlock();
            }

            /** Takes an interrupt for the failure of a server, goes on, and may leave locks behind that it then renews for ever. */
            @Override
            public boolean isInterruptible() {
                return false;
            }
        };
    }

    @Override
    public void close() {
        clients.forEach(RedissonClient::shutdown);
    }
}
