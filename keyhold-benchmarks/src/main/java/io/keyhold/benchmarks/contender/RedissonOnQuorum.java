package io.keyhold.benchmarks.contender;

import java.util.List;
import java.util.function.Function;
import org.redisson.RedissonMultiLock;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Redisson's locks on several servers: one client and one lock for each of them, as its documentation has it. */
final class RedissonOnQuorum implements Contender {
    private final List<RedissonClient> clients;
    private final Function<RLock[], RLock> kind;

    private RedissonOnQuorum(List<RedissonClient> clients, Function<RLock[], RLock> kind) {
        this.clients = clients;
        this.kind = kind;
    }

    /** A majority is enough. It is deprecated, and the only lock of Redisson's that can do without a server. */
    @SuppressWarnings("deprecation")
    static Contender openRedLock(OpenOptions options) {
        return open(options, RedissonRedLock::new);
    }

    /** All of them are needed. */
    static Contender openMultiLock(OpenOptions options) {
        return open(options, RedissonMultiLock::new);
    }

    private static Contender open(OpenOptions options, Function<RLock[], RLock> kind) {
        return new RedissonOnQuorum(
                options.each().stream().map(RedissonContender::connect).toList(), kind);
    }

    @Override
    public ContenderLock lock(String key) {
        RLock lock =
                kind.apply(clients.stream().map(client -> client.getLock(key)).toArray(RLock[]::new));
        return new ContenderLock() {
            @Override
            public void acquire() throws InterruptedException {
                lock.lockInterruptibly();
            }

            @Override
            public void release() {
                lock.unlock();
            }

            /** It takes an interrupt for a server's failure, goes on, and may leave locks behind that it then renews for ever. */
            @Override
            public boolean heedsInterrupts() {
                return false;
            }
        };
    }

    @Override
    public void close() {
        clients.forEach(RedissonClient::shutdown);
    }
}
