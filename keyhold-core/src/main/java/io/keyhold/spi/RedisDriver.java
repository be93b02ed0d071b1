package io.keyhold.spi;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries commands to one Redis server. Implementations are safe for use by many threads, and open no connection and
 * start no thread before the first call.
 *
 * <pre>{@code
 * // The application's own Jedis or Lettuce client, or a driver for another client:
 * Keyhold keyhold = Keyhold.builder().driver(JedisDriver.using(jedis)).build();
 *
 * // What Keyhold does with a driver:
 * driver.call(RedisCall.of("GET", "invoice:42"), CallMode.BLOCKING)
 *         .thenAccept(reply -> System.out.println(reply));
 * }</pre>
 *
 * <p><b>Replies</b> are a {@code String} (bulk and simple strings, decoded as UTF-8), a {@code Long} (integers), a
 * {@code List<Object>} of these (arrays), or {@code null} (nil).
 *
 * <p><b>Failures</b> complete the stage exceptionally, and are never thrown by the method itself: with
 * {@link RedisErrorException} when the server replied with an error, and with {@link RedisConnectionException}
 * otherwise, which says whether the server may have executed the command nevertheless. A driver never sends a command
 * a second time on its own.
 *
 * <p><b>Time.</b> A call has the connect timeout to get a connection, and then the command timeout to get its reply. An
 * {@linkplain CallMode#ASYNCHRONOUS asynchronous} call may have to queue for a thread or a connection behind others of
 * its {@linkplain CallOptions#lane lane}. The connect timeout does not run while it is queued and the server replies to
 * those before it. When the server has not replied to any call for the connect timeout, what is queued fails with
 * {@link RedisConnectionException.Failure#NOT_CONNECTED} instead of being sent, so that every call at a silent server ends
 * within twice the sum of both timeouts.
 *
 * <p><b>Failover.</b> After a reply that {@linkplain RedisErrorException#isServerUnavailable says that the server is
 * unavailable}, the driver sends nothing more on the connections that it has, and looks up the host's address again for new
 * ones (through the JVM's own cache of addresses). Of an application's pool it closes the connection that got the reply
 * and the idle ones.
 *
 * <p>{@code RedisDriverContract} and {@code RedisDriverFaultContract} of {@code io.keyhold.testkit} hold an implementation to all of this.
 */
public interface RedisDriver extends AutoCloseable {

    /** {@return where the server is, for messages: host and port or a socket's path, never a password} */
    String address();

    /**
     * Sends one command on any connection.
     *
     * @param call the command
     * @param options how to send it
     * @return completes with the reply
     */
    CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options);

    /**
     * Sends one command as an ordinary request.
     *
     * @param call the command
     * @param mode which thread waits for the reply
     * @return completes with the reply
     */
    default CompletionStage<@Nullable Object> call(RedisCall call, CallMode mode) {
        return call(call, CallOptions.of(mode));
    }

    /**
     * Sends one command as an {@linkplain CallMode#ASYNCHRONOUS asynchronous} call whose reply the calling thread is ready to read
     * itself. A driver with blocking input and output may write the command inside this method and pass the reply to
     * {@code unread}, once, before the method returns. It does so only if it can write without waiting, for a connection or for
     * anything else, and if the server has replied within a millisecond of late. By default this is an ordinary asynchronous call.
     *
     * @param call the command
     * @param options how to send it; its mode is asynchronous
     * @param unread gets the reply that is left to be read, on the calling thread
     * @return completes with the reply
     */
    default CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options, Consumer<PendingReply> unread) {
        return call(call, options);
    }

    /**
     * Lends one connection to {@code work} for the time that its stage is not complete; no other call uses it
     * meanwhile. A connection that is returned while it watches keys, or after a failure, is not lent again in that
     * state. {@link CallOptions#sending} runs when the connection is lent. If a connection turns out to be lost before
     * anything was sent on it, the driver may lend another and apply {@code work} again.
     *
     * @param <T> the outcome of the work
     * @param options how to send its commands
     * @param work uses the connection until its stage completes
     * @return completes as the work's stage does
     */
    <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work);

    /**
     * Lends one connection as for an ordinary request.
     *
     * @param <T> the outcome of the work
     * @param mode which thread waits for the replies
     * @param work uses the connection until its stage completes
     * @return completes as the work's stage does
     */
    default <T> CompletionStage<T> withSession(CallMode mode, Function<RedisSession, CompletionStage<T>> work) {
        return withSession(CallOptions.of(mode), work);
    }

    /**
     * Subscribes to a channel on a connection of its own, which is not counted among those for calls, to the server that
     * executes the calls: what a script publishes is counted there by {@code PUBSUB NUMSUB}. The stage completes
     * when the server has confirmed the subscription: every message that is published from then on is received, until
     * {@link RedisListener#onClosed}. It fails as a call does, and within the same time. The driver does not subscribe
     * again by itself.
     *
     * <p>A connection may be silent for any length of time, and is not closed for that.
     *
     * @param channel the channel
     * @param listener receives the messages
     * @return completes with the subscription
     */
    CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener);

    /**
     * Frees what has not been needed for a while, such as idle connections beyond the first. Called now and then
     * from the client's timer thread; must not block.
     */
    default void trim() {}

    /**
     * Closes what this driver opened, but not a client object that the application passed in. Calls that are in flight
     * fail; closing twice is harmless.
     */
    @Override
    void close();
}
