package io.keyhold.benchmarks.contender;

import io.keyhold.Fairness;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.redisson.api.RedissonClient;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Who takes part, in the order of the tables. */
public enum Entrant {
    /** The floor for code that blocks. */
    RAW_JEDIS("raw-jedis", "SET NX + script, Jedis", Family.FLOOR),
    /** The floor on Lettuce. */
    RAW_LETTUCE("raw-lettuce", "SET NX + script, Lettuce", Family.FLOOR),
    /** Keyhold as it is out of the box. */
    KEYHOLD_JEDIS("keyhold-jedis", "Keyhold, Jedis", Family.KEYHOLD),
    /** Keyhold with one line for all threads of all clients. */
    KEYHOLD_JEDIS_STRICT("keyhold-jedis-strict", "Keyhold STRICT, Jedis", Family.KEYHOLD),
    /** Keyhold on the other driver. */
    KEYHOLD_LETTUCE("keyhold-lettuce", "Keyhold, Lettuce", Family.KEYHOLD),
    /** Keyhold on the other driver with one line. */
    KEYHOLD_LETTUCE_STRICT("keyhold-lettuce-strict", "Keyhold STRICT, Lettuce", Family.KEYHOLD),
    /** Redisson's usual lock. */
    REDISSON("redisson", "Redisson RLock", Family.REDISSON),
    /** Redisson's lock with a queue. */
    REDISSON_FAIR("redisson-fair", "Redisson fair lock", Family.REDISSON),
    /** Redisson's lock that polls, with growing pauses. */
    REDISSON_SPIN("redisson-spin", "Redisson spin lock", Family.REDISSON),
    /** Redisson's lock with fencing tokens, which every Keyhold lock has. */
    REDISSON_FENCED("redisson-fenced", "Redisson fenced lock", Family.REDISSON),
    /** Redisson's semaphore that is a counter. */
    REDISSON_SEMAPHORE("redisson-semaphore", "Redisson RSemaphore", Family.REDISSON),
    /** Redisson's semaphore whose permits have an id and a lease, as all of Keyhold's have. */
    REDISSON_EXPIRABLE("redisson-expirable", "Redisson expirable semaphore", Family.REDISSON),
    /** Redisson's read/write lock. */
    REDISSON_READ_WRITE("redisson-read-write", "Redisson RReadWriteLock", Family.REDISSON),
    /** Redisson's several locks as one: of several keys, or of several servers. */
    REDISSON_MULTI("redisson-multi", "Redisson multi-lock", Family.REDISSON),
    /** Redisson's several locks of which most are enough. */
    REDISSON_RED_LOCK("redisson-redlock", "Redisson RedLock", Family.REDISSON),
    /** Spring Integration's default: polls every 100 ms. */
    SPRING_SPIN("spring-spin", "Spring Integration, spin", Family.SPRING),
    /** Spring Integration with a message at each release. */
    SPRING_PUB_SUB("spring-pub-sub", "Spring Integration, pub/sub", Family.SPRING);

    private final String id;
    private final String title;
    private final Family family;

    Entrant(String id, String title, Family family) {
        this.id = id;
        this.title = title;
        this.family = family;
    }

    /** As it is typed on the command line. */
    public String id() {
        return id;
    }

    /** For people. */
    public String title() {
        return title;
    }

    /** Whose it is. */
    public Family family() {
        return family;
    }

    /** Whether it takes part where this is measured. Keyhold's fairness makes a difference for locks only. */
    public boolean offers(Primitive primitive) {
        return switch (this) {
            case KEYHOLD_JEDIS, KEYHOLD_LETTUCE -> true;
            case REDISSON_SEMAPHORE, REDISSON_EXPIRABLE -> primitive == Primitive.SEMAPHORE;
            case REDISSON_READ_WRITE -> primitive == Primitive.READ_WRITE;
            case REDISSON_MULTI -> primitive == Primitive.ALL_OF || primitive == Primitive.QUORUM_LOCK;
            case REDISSON_RED_LOCK -> primitive == Primitive.QUORUM_LOCK;
            default -> primitive == Primitive.LOCK;
        };
    }

    /** A client of it. */
    public Contender open(OpenOptions options) {
        return switch (this) {
            case RAW_JEDIS -> RawJedis.open(options);
            case RAW_LETTUCE -> RawLettuce.open(options);
            case KEYHOLD_JEDIS -> KeyholdContender.open(options, "jedis", Fairness.BATCHED);
            case KEYHOLD_JEDIS_STRICT -> KeyholdContender.open(options, "jedis", Fairness.STRICT);
            case KEYHOLD_LETTUCE -> KeyholdContender.open(options, "lettuce", Fairness.BATCHED);
            case KEYHOLD_LETTUCE_STRICT -> KeyholdContender.open(options, "lettuce", Fairness.STRICT);
            case REDISSON -> RedissonContender.open(options, RedissonClient::getLock);
            case REDISSON_FAIR -> RedissonContender.open(options, RedissonClient::getFairLock);
            case REDISSON_SPIN -> RedissonContender.open(options, RedissonClient::getSpinLock);
            case REDISSON_FENCED -> RedissonContender.open(options, RedissonClient::getFencedLock);
            case REDISSON_SEMAPHORE -> RedissonSemaphores.open(options, RedissonSemaphores::counting);
            case REDISSON_EXPIRABLE -> RedissonSemaphores.open(options, RedissonSemaphores::expirable);
            case REDISSON_READ_WRITE -> RedissonContender.open(options, RedissonClient::getLock);
            case REDISSON_MULTI ->
                options.isQuorum()
                        ? RedissonOnQuorum.openMultiLock(options)
                        : RedissonContender.open(options, RedissonClient::getLock);
            case REDISSON_RED_LOCK -> RedissonOnQuorum.openRedLock(options);
            case SPRING_SPIN -> SpringContender.open(options, RedisLockType.SPIN_LOCK);
            case SPRING_PUB_SUB -> SpringContender.open(options, RedisLockType.PUB_SUB_LOCK);
        };
    }

    /** The Redis keys that exist as long as the locks on {@code key:0} to {@code key:count-1} are held. */
    public List<String> redisKeys(String key, int count) {
        String prefix = family == Family.SPRING ? SpringContender.REGISTRY + ":" : "";
        return IntStream.range(0, count)
                .mapToObj(number -> prefix + key + ":" + number)
                .toList();
    }

    /** Without contention there is no line to stand in, so that both kinds of fairness run the same code. */
    public Optional<String> sameWithoutWaiters() {
        return switch (this) {
            case KEYHOLD_JEDIS_STRICT ->
                Optional.of("runs the same code as keyhold-jedis when no thread of its JVM waits");
            case KEYHOLD_LETTUCE_STRICT ->
                Optional.of("runs the same code as keyhold-lettuce when no thread of its JVM waits");
            default -> Optional.empty();
        };
    }

    /** Why it cannot hold many locks and renew them, or need not be asked to. */
    public Optional<String> noRenewalOfItsOwn() {
        return switch (this) {
            case RAW_JEDIS, RAW_LETTUCE -> Optional.of("has no renewal");
            case KEYHOLD_JEDIS_STRICT, KEYHOLD_LETTUCE_STRICT -> Optional.of("renews as its BATCHED twin does");
            case REDISSON_FAIR, REDISSON_SPIN, REDISSON_FENCED -> Optional.of("renews as redisson does");
            case SPRING_SPIN -> Optional.of("renews as spring-pub-sub does");
            default -> Optional.empty();
        };
    }

    /** The one with this id. */
    public static Entrant of(String id) {
        return Arrays.stream(values())
                .filter(entrant -> entrant.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("contender \"" + id + "\": must be one of "
                        + Arrays.stream(values()).map(Entrant::id).collect(Collectors.joining(", "))));
    }
}
