package io.keyhold.tests.stress;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import redis.clients.jedis.Jedis;

/** What can happen to one server of a quorum, and how it ends. */
enum NodeFault {
    /** It dies, and returns without its data. */
    DIES {
        @Override
        void begin(EmbeddedRedis server, List<TcpProxy> lines) {
            server.kill();
            lines.forEach(TcpProxy::refuse); // As a dead server does; the proxy would accept.
        }

        @Override
        void end(EmbeddedRedis server, List<TcpProxy> lines) {
            server.restart();
            super.end(server, lines);
        }
    },
    /** It is stopped, with its connections open. */
    STANDS_STILL {
        @Override
        void begin(EmbeddedRedis server, List<TcpProxy> lines) {
            server.pause();
        }

        @Override
        void end(EmbeddedRedis server, List<TcpProxy> lines) {
            server.resume();
        }
    },
    /** No worker can connect to it. */
    CUT_OFF {
        @Override
        void begin(EmbeddedRedis server, List<TcpProxy> lines) {
            lines.forEach(TcpProxy::refuse);
        }
    },
    /** Half of the workers cannot connect to it. */
    CUT_OFF_FROM_SOME {
        @Override
        void begin(EmbeddedRedis server, List<TcpProxy> lines) {
            lines.subList(0, (lines.size() + 1) / 2).forEach(TcpProxy::refuse);
        }
    },
    /** It receives everything, and its replies are lost; then the connections are cut. */
    UNHEARD {
        @Override
        void begin(EmbeddedRedis server, List<TcpProxy> lines) {
            lines.forEach(TcpProxy::swallowReplies);
        }

        @Override
        void end(EmbeddedRedis server, List<TcpProxy> lines) {
            lines.forEach(TcpProxy::cut);
            super.end(server, lines);
        }
    },
    /** It receives requests late. */
    SLOW {
        @Override
        void begin(EmbeddedRedis server, List<TcpProxy> lines) {
            lines.forEach(line -> line.delayRequests(LATE));
        }
    },
    /** It loses all data, and continues. */
    FORGETS {
        @Override
        void begin(EmbeddedRedis server, List<TcpProxy> lines) {
            try (Jedis operator = new Jedis(server.host(), server.port(), 20_000)) {
                operator.flushAll();
            }
        }
    };

    /** Longer than some leases of the workers. */
    private static final Duration LATE = Duration.ofMillis(400);

    static NodeFault any(Random random) {
        List<NodeFault> all = List.of(values());
        return all.get(random.nextInt(all.size()));
    }

    abstract void begin(EmbeddedRedis server, List<TcpProxy> lines);

    void end(EmbeddedRedis server, List<TcpProxy> lines) {
        lines.forEach(TcpProxy::heal);
    }
}
