package io.keyhold.spi;

import io.keyhold.spi.RedisConnectionException.Failure;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions of a driver, so that all drivers tell the same failure in the same words. */
public final class DriverFailures {

    /** What the JDK, netty, Jedis and Lettuce say of a connection that the server has closed. */
    private static final Pattern CLOSED =
            Pattern.compile("(?i)reset|broken pipe|end of stream|connection (was )?closed");

    private DriverFailures() {}

    /** {@return the failure of a call that was not sent, because there was no connection for it} */
    public static RedisConnectionException notConnected(String message, @Nullable Throwable cause) {
        return new RedisConnectionException(Failure.NOT_CONNECTED, message, cause);
    }

    /** {@return the failure of a call that was not sent, because no connection could be opened} */
    public static RedisConnectionException cannotConnect(String address, Throwable cause) {
        return notConnected("cannot connect to " + address + ": " + hintOrReason(cause), cause);
    }

    /** {@return the failure of a call that was not sent, because no connection could be opened; with the cure, as far as it is known} */
    public static RedisConnectionException cannotConnect(RedisUri uri, Throwable cause) {
        String reason = reason(cause);
        String shown;
        if (cause instanceof TimeoutException) {
            String hint = uri.tls() ? "; " + TlsHints.noHandshake() : "";
            shown = "no connection within " + uri.connectTimeout().toMillis() + " ms" + hint;
        } else {
            shown = TlsHints.of(cause)
                    .orElseGet(
                            () -> CLOSED.matcher(reason).find() ? TlsHints.closed(uri) + " (" + reason + ")" : reason);
        }
        return notConnected("cannot connect to " + uri.address() + ": " + shown, cause);
    }

    /** {@return the failure of a call that was not sent, because every connection was in use for this time} */
    public static RedisConnectionException exhausted(String address, Duration timeout) {
        return notConnected("no connection to " + address + " became free within " + timeout.toMillis() + " ms", null);
    }

    /** {@return the failure of a call that was not sent, because its connection was lost before} */
    public static RedisConnectionException lost(String address) {
        return notConnected("the connection to " + address + " was lost", null);
    }

    /** {@return the failure of a call on a driver that is closed} */
    public static RedisConnectionException closed(String address) {
        return notConnected("the driver for " + address + " is closed", null);
    }

    /** {@return the failure of a call that was sent, and whose reply did not come within this time} */
    public static RedisConnectionException timedOut(String address, Duration timeout, Throwable cause) {
        return new RedisConnectionException(
                Failure.TIMED_OUT, "no reply from " + address + " within " + timeout.toMillis() + " ms", cause);
    }

    /** {@return the failure of a call that was sent, and whose connection broke before the reply} */
    public static RedisConnectionException broken(String address, Throwable cause) {
        return cut("the connection to " + address + " broke before the reply came: " + hintOrReason(cause), cause);
    }

    /** {@return the end of a subscription whose connection broke; without a cause the server closed it} */
    public static RedisConnectionException subscriptionBroken(String address, @Nullable Throwable cause) {
        String why = cause == null ? "closed by the server" : reason(cause);
        return cut("the connection to " + address + ", which was listened to, broke: " + why, cause);
    }

    /** {@return the end of a subscription that its owner closed} */
    public static RedisConnectionException unsubscribed(String address) {
        return cut("the subscription at " + address + " was closed", null);
    }

    private static RedisConnectionException cut(String message, @Nullable Throwable cause) {
        return new RedisConnectionException(Failure.CONNECTION_LOST, message, cause);
    }

    private static String hintOrReason(Throwable failure) {
        return TlsHints.of(failure).orElseGet(() -> reason(failure));
    }

    /** Clients hide the reason below exceptions of their own. */
    private static String reason(Throwable failure) {
        Throwable root = TlsHints.chain(failure).get(0);
        if (root instanceof UnknownHostException) {
            return "unknown host";
        }
        if (root instanceof TimeoutException) {
            return "no connection within the connect timeout";
        }
        String words = root.getMessage();
        // What is not an everyday failure of a network is told with its type.
        boolean everyday = root instanceof IOException || root instanceof RuntimeException;
        return everyday && words != null ? words : root.toString();
    }
}
