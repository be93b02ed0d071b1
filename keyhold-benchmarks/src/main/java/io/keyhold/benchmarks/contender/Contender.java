package io.keyhold.benchmarks.contender;

import io.keyhold.Fairness;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.redisson.api.RedissonClient;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** The contenders, in the order of the tables. */
public enum Contender {
    /** The floor for blocking code. */
    RAW_JEDIS("raw-jedis", "SET NX + script, Jedis", Family.FLOOR),
    /** The floor on Lettuce. */
    RAW_LETTUCE("raw-lettuce", "SET NX + script, Lettuce", Family.FLOOR),
    /** Keyhold with its defaults. */
    KEYHOLD_JEDIS("keyhold-jedis", "Keyhold, Jedis", Family.KEYHOLD),
    /** Keyhold with one FIFO queue for all threads of all clients. */
    KEYHOLD_JEDIS_STRICT("keyhold-jedis-strict", "Keyhold STRICT, Jedis", Family.KEYHOLD),
    /** Keyhold on Lettuce. */
    KEYHOLD_LETTUCE("keyhold-lettuce", "Keyhold, Lettuce", Family.KEYHOLD),
    /** Keyhold on Lettuce with one FIFO queue. */
    KEYHOLD_LETTUCE_STRICT("keyhold-lettuce-strict", "Keyhold STRICT, Lettuce", Family.KEYHOLD),
    /** Keyhold with grants that a replica has acknowledged. */
    KEYHOLD_JEDIS_DURABLE("keyhold-jedis-durable", "Keyhold durable, Jedis", Family.KEYHOLD),
    /** Keyhold on Lettuce with grants that a replica has acknowledged. */
    KEYHOLD_LETTUCE_DURABLE("keyhold-lettuce-durable", "Keyhold durable, Lettuce", Family.KEYHOLD),
    /** Redisson's default lock. */
    REDISSON("redisson", "Redisson RLock", Family.REDISSON),
    /** Redisson's lock with a queue. */
    REDISSON_FAIR("redisson-fair", "Redisson fair lock", Family.REDISSON),
    /** Redisson's lock that polls, with growing pauses. */
    REDISSON_SPIN("redisson-spin", "Redisson spin lock", Family.REDISSON),
    /** Redisson's lock with fencing tokens, which every Keyhold lock has. */
    REDISSON_FENCED("redisson-fenced", "Redisson fenced lock", Family.REDISSON),
    /** Redisson's semaphore without leases. */
    REDISSON_SEMAPHORE("redisson-semaphore", "Redisson RSemaphore", Family.REDISSON),
    /** Redisson's semaphore whose permits have an id and a lease, as Keyhold's have. */
    REDISSON_EXPIRABLE("redisson-expirable", "Redisson expirable semaphore", Family.REDISSON),
    /** Redisson's read/write lock. */
    REDISSON_READ_WRITE("redisson-read-write", "Redisson RReadWriteLock", Family.REDISSON),
    /** Redisson's several locks as one, on several keys or several servers. */
    REDISSON_MULTI("redisson-multi", "Redisson multi-lock", Family.REDISSON),
    /** Redisson's several locks of which a majority is enough. */
    REDISSON_RED_LOCK("redisson-redlock", "Redisson RedLock", Family.REDISSON),
    /** Spring Integration's default: polls every 100 ms. */
    SPRING_SPIN("spring-spin", "Spring Integration, spin", Family.SPRING),
    /** Spring Integration with a message at each release. */
    SPRING_PUB_SUB("spring-pub-sub", "Spring Integration, pub/sub", Family.SPRING);

    /** Why other libraries are left out of a shape. */
    public static final String KEYHOLD_ONLY = "the shape is for Keyhold only";

    private final String id;
    private final String title;
    private final Family family;

    Contender(String id, String title, Family family) {
        this.id = id;
        this.title = title;
        this.family = family;
    }

    /** Returns the name on the command line. */
    public String id() {
        return id;
    }

    /** Returns the name in the report. */
    public String title() {
        return title;
    }

    /** Returns the library. */
    public Family family() {
        return family;
    }

    /** Returns whether it offers this primitive. Keyhold's fairness makes a difference for locks only. */
    public boolean offers(Primitive primitive) {
        return switch (this) {
            case KEYHOLD_JEDIS, KEYHOLD_LETTUCE -> true;
            case KEYHOLD_JEDIS_DURABLE, KEYHOLD_LETTUCE_DURABLE -> primitive == Primitive.REPLICATED_LOCK;
            case REDISSON_SEMAPHORE, REDISSON_EXPIRABLE -> primitive == Primitive.SEMAPHORE;
            case REDISSON_READ_WRITE -> primitive == Primitive.READ_WRITE;
            case REDISSON_MULTI -> primitive == Primitive.ALL_OF || primitive == Primitive.QUORUM_LOCK;
            case REDISSON_RED_LOCK -> primitive == Primitive.QUORUM_LOCK;
            default -> primitive == Primitive.LOCK;
        };
    }

    /** Opens a client. */
    public LockClient open(OpenOptions options) {
        return switch (this) {
            case RAW_JEDIS -> RawJedis.open(options);
            case RAW_LETTUCE -> RawLettuce.open(options);
            case KEYHOLD_JEDIS -> KeyholdClient.open(options, "jedis", Fairness.BATCHED);
            case KEYHOLD_JEDIS_STRICT -> KeyholdClient.open(options, "jedis", Fairness.STRICT);
            case KEYHOLD_LETTUCE -> KeyholdClient.open(options, "lettuce", Fairness.BATCHED);
            case KEYHOLD_LETTUCE_STRICT -> KeyholdClient.open(options, "lettuce", Fairness.STRICT);
            case KEYHOLD_JEDIS_DURABLE -> KeyholdClient.openDurable(options, "jedis");
            case KEYHOLD_LETTUCE_DURABLE -> KeyholdClient.openDurable(options, "lettuce");
            case REDISSON -> RedissonLocks.open(options, RedissonClient::getLock);
            case REDISSON_FAIR -> RedissonLocks.open(options, RedissonClient::getFairLock);
            case REDISSON_SPIN -> RedissonLocks.open(options, RedissonClient::getSpinLock);
            case REDISSON_FENCED -> RedissonLocks.open(options, RedissonClient::getFencedLock);
            case REDISSON_SEMAPHORE -> RedissonSemaphores.open(options, RedissonSemaphores::counting);
            case REDISSON_EXPIRABLE -> RedissonSemaphores.open(options, RedissonSemaphores::expirable);
            case REDISSON_READ_WRITE -> RedissonLocks.open(options, RedissonClient::getLock);
            case REDISSON_MULTI ->
                options.isQuorum()
                        ? RedissonOnQuorum.openMultiLock(options)
                        : RedissonLocks.open(options, RedissonClient::getLock);
            case REDISSON_RED_LOCK -> RedissonOnQuorum.openRedLock(options);
            case SPRING_SPIN -> SpringLocks.open(options, RedisLockType.SPIN_LOCK);
            case SPRING_PUB_SUB -> SpringLocks.open(options, RedisLockType.PUB_SUB_LOCK);
        };
    }

    /** Returns the Redis keys that exist while the locks {@code key:0} to {@code key:count-1} are held. */
    public List<String> redisKeys(String key, int count) {
        String prefix = family == Family.SPRING ? SpringLocks.REGISTRY + ":" : "";
        return IntStream.range(0, count)
                .mapToObj(number -> prefix + key + ":" + number)
                .toList();
    }

    /** Returns why it is left out where no thread waits: without a queue both kinds of fairness run the same code. */
    public Optional<String> sameWithoutWaiters() {
        return switch (this) {
            case KEYHOLD_JEDIS_STRICT ->
                Optional.of("runs the same code as keyhold-jedis when no thread of its JVM waits");
            case KEYHOLD_LETTUCE_STRICT ->
                Optional.of("runs the same code as keyhold-lettuce when no thread of its JVM waits");
            default -> Optional.empty();
        };
    }

    /** Returns why it is left out where leases are renewed, if it is. */
    public Optional<String> noRenewalOfItsOwn() {
        return switch (this) {
            case RAW_JEDIS, RAW_LETTUCE -> Optional.of("has no renewal");
            case KEYHOLD_JEDIS_STRICT, KEYHOLD_LETTUCE_STRICT -> Optional.of("renews as its BATCHED variant does");
            case REDISSON_FAIR, REDISSON_SPIN, REDISSON_FENCED -> Optional.of("renews as redisson does");
            case SPRING_SPIN -> Optional.of("renews as spring-pub-sub does");
            default -> Optional.empty();
        };
    }

    /** Returns the contender with this id. */
    public static Contender of(String id) {
        return Arrays.stream(values())
                .filter(contender -> contender.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("contender must be one of "
                        + Arrays.stream(values()).map(Contender::id).collect(Collectors.joining(", ")) + ", was '" + id
                        + "'"));
    }
}
