package io.keyhold.jedis;

import io.keyhold.spi.Credentials;
import io.keyhold.spi.RedisUri;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.JedisClientConfig;

/**
 * What a URI says, in Jedis's terms. Neither HELLO nor CLIENT SETINFO is sent: RESP2 is what a server speaks unasked, each
 * would be one more round trip, and access rules may forbid them.
 */
record ConnectionSettings(RedisUri uri, @Nullable Credentials credentials, int timeoutMillis)
        implements JedisClientConfig {

    /** Asks for the credentials now. */
    ConnectionSettings(RedisUri uri, int timeoutMillis) {
        this(uri, uri.credentials().orElse(null), timeoutMillis);
    }

    /** Jedis 7, which does not know this method, sends HELLO only when it is told to. */
    @Override
    public boolean isAutoNegotiateProtocol() {
        return false;
    }

    @Override
    public ClientSetInfoConfig getClientSetInfoConfig() {
        return ClientSetInfoConfig.DISABLED;
    }

    @Override
    public int getConnectionTimeoutMillis() {
        return timeoutMillis;
    }

    @Override
    public int getSocketTimeoutMillis() {
        return timeoutMillis;
    }

    @Override
    public @Nullable String getUser() {
        return credentials == null ? null : credentials.user();
    }

    @Override
    public @Nullable String getPassword() {
        return credentials == null ? null : credentials.password();
    }

    @Override
    public int getDatabase() {
        return uri.database();
    }

    @Override
    public @Nullable String getClientName() {
        return uri.clientName().orElse(null);
    }

    @Override
    public boolean isSsl() {
        return uri.tls();
    }

    /** Deprecated for options that take files of key stores only. */
    @Override
    @SuppressWarnings("deprecation")
    public @Nullable SSLSocketFactory getSslSocketFactory() {
        return uri.tls() ? uri.tlsSettings().context().getSocketFactory() : null;
    }

    @Override
    @SuppressWarnings("deprecation")
    public @Nullable SSLParameters getSslParameters() {
        return uri.tls() ? uri.tlsSettings().parameters(uri.host()) : null;
    }

    /**
     * Fails now rather than at the first call if the URI names several servers or a socket, which Jedis does not speak, or if a file
     * for TLS is missing or wrong.
     */
    static void check(RedisUri uri) {
        uri.requireSingleServer();
        uri.socket().ifPresent(socket -> {
            throw new IllegalArgumentException("Jedis does not support the Unix domain socket '" + socket
                    + "' of the Redis URI; use Lettuce (add keyhold-lettuce and ?driver=lettuce)");
        });
        if (uri.tls()) {
            uri.tlsSettings().context();
        }
    }
}
