package io.keyhold.tests.docs;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * What a snippet in the documentation may use without declaring it: it is compiled as the body of a method of a subclass.
 * {@link SnippetTest} says how.
 */
public abstract class SnippetPrelude {

    /** A client. */
    protected final Keyhold keyhold = Keyhold.inMemory();

    /** The same. */
    protected final Keyhold k = keyhold;

    /** A lock. */
    protected final DistributedLock lock = keyhold.lock("invoice:42");

    /** A token that some other process handed over. */
    protected final String token = "token";

    /** What the lock protects: a resource that takes the fencing token with every write. */
    protected final Ledger ledger = new Ledger();

    /** Something to write into the ledger. */
    protected final Entry entry = new Entry("invoice:42", 100);

    /** A Jedis client that the application has already. Only to be compiled. */
    protected final redis.clients.jedis.@Nullable RedisClient applicationsJedis = null;

    /** A Lettuce client that the application has already. Only to be compiled. */
    protected final io.lettuce.core.@Nullable RedisClient applicationsLettuce = null;

    /** A Jedis client of a cluster that the application has already. Only to be compiled. */
    protected final redis.clients.jedis.@Nullable RedisClusterClient applicationsJedisCluster = null;

    /** A Lettuce client of a cluster that the application has already. Only to be compiled. */
    protected final io.lettuce.core.cluster.@Nullable RedisClusterClient applicationsLettuceCluster = null;

    /** The application's own threads. */
    protected final ExecutorService executor = ForkJoinPool.commonPool();

    /** The application's own timer. */
    protected final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    /** The application's database. Only to be compiled. */
    protected final javax.sql.@Nullable DataSource dataSource = null;

    /** A queue of incoming work. */
    protected final BlockingQueue<String> orders = new LinkedBlockingQueue<>();

    /** For subclasses. */
    protected SnippetPrelude() {}

    /** The snippet. */
    protected abstract void snippet() throws Exception;

    /** Work that must not be done twice. */
    protected void charge() {}

    /** The same; it passes the lease's fencing token on. */
    protected void chargeWith(Lease lease) {}

    /** Work with a result. */
    protected int total() {
        return 100;
    }

    /** Work that stops when it is told to. */
    protected void stop() {}

    /** Work that few may do at a time. */
    protected void train() {}

    /** The same; it passes the fencing token on. */
    protected void train(long fencingToken) {}

    /** Work that many may do at a time, without a writer. */
    protected void read() {}

    /** Work that one may do at a time, without a reader. */
    protected void write(long fencingToken) {}

    /** Work on two things that belong together. */
    protected void transfer(long fencingToken) {}

    /** Work on one order, which passes the fencing token on. */
    protected void handle(String order, long fencingToken) {}

    /** Work of a leader, which passes the fencing token on. */
    protected void lead(long fencingToken) {}

    /** Work that one node does on a schedule. */
    protected void report() {}

    /** Work with a result that may fail. */
    protected String fetch() throws IOException {
        return "";
    }

    /** Tells an operator. */
    protected void alarm(String what) {}

    /** A resource that refuses an old holder. */
    public static final class Ledger {

        private final List<Entry> entries = new ArrayList<>();
        private long newest;

        private Ledger() {}

        /** Writes that an invoice was charged, unless a newer holder has written already. */
        public void charge(String invoice, long fencingToken) {
            write(new Entry(invoice, 100), fencingToken);
        }

        /** Writes, unless a newer holder has written already. */
        public synchronized void write(Entry entry, long fencingToken) {
            if (fencingToken < newest) {
                throw new IllegalStateException("fencing token " + fencingToken + " is older than " + newest);
            }
            newest = fencingToken;
            entries.add(entry);
        }
    }

    /**
     * A line of the ledger.
     *
     * @param invoice which one
     * @param cents how much
     */
    public record Entry(String invoice, long cents) {}
}
