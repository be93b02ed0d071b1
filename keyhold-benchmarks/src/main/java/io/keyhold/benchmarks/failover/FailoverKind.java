package io.keyhold.benchmarks.failover;

import io.keyhold.embedded.EmbeddedRedis;
import java.util.concurrent.TimeUnit;

/** The ways in which a master loses its role. Each leaves all servers running, with another master. */
enum FailoverKind {

    /** The master is killed, and restarted after the failover. */
    KILLED {
        @Override
        void run(FailingServers servers) throws InterruptedException {
            EmbeddedRedis former = servers.master();
            former.kill();
            servers.awaitFailover(former);
            former.restart();
        }
    },

    /** The master stops for longer than the failover takes, and then goes on as if nothing had been. */
    STOPPED {
        @Override
        void run(FailingServers servers) throws InterruptedException {
            EmbeddedRedis former = servers.master();
            former.pause();
            try {
                servers.awaitFailover(former);
            } finally {
                former.resume();
            }
        }
    },

    /** An operator orders it, and the former master accepts writes until it is demoted. */
    ORDERED {
        @Override
        void run(FailingServers servers) throws InterruptedException {
            servers.failover();
        }
    },

    /** One replica lags when the master is killed. */
    LAGGING {
        @Override
        void run(FailingServers servers) throws InterruptedException {
            EmbeddedRedis former = servers.master();
            EmbeddedRedis lagging = servers.replicas().get(0);
            lagging.pause();
            try {
                TimeUnit.MILLISECONDS.sleep(500); // What it lags by.
                former.kill();
            } finally {
                lagging.resume();
            }
            servers.awaitFailover(former);
            former.restart();
        }
    };

    abstract void run(FailingServers servers) throws InterruptedException;
}
