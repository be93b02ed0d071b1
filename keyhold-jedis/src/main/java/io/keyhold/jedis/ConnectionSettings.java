package io.keyhold.jedis;

import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/**
 * What a URI says, in Jedis's terms. Neither HELLO nor CLIENT SETINFO is sent: RESP2 is what a server speaks unasked, each
 * would be one more round trip, and access rules may forbid them.
 */
record ConnectionSettings(RedisUri uri, int timeoutMillis) implements JedisClientConfig {

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
        return uri.user().orElse(null);
    }

    @Override
    public @Nullable String getPassword() {
        return uri.password().orElse(null);
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
    public @Nullable SslOptions getSslOptions() {
        return uri.tls() ? tls(uri) : null;
    }

    /**
     * Fails now rather than at the first call if the URI names several servers or a socket, which Jedis does not speak, or if the
     * trust store is unreadable.
     */
    static void check(RedisUri uri) {
        uri.requireSingleServer();
        uri.socket().ifPresent(socket -> {
            throw new IllegalArgumentException("Jedis does not support the Unix domain socket '" + socket
                    + "' of the Redis URI; use Lettuce (add keyhold-lettuce and ?driver=lettuce)");
        });
        uri.trustStore().ifPresent(store -> {
            try {
                tls(uri).createSslContext();
            } catch (IOException | GeneralSecurityException | RuntimeException e) {
                throw new IllegalArgumentException("trust store '" + store + "' cannot be read: " + e.getMessage(), e);
            }
        });
    }

    private static SslOptions tls(RedisUri uri) {
        SslOptions.Builder tls =
                SslOptions.builder().sslVerifyMode(uri.verifyHostname() ? SslVerifyMode.FULL : SslVerifyMode.CA);
        uri.trustStore()
                .ifPresent(store -> tls.truststore(
                        store.toFile(),
                        uri.trustStorePassword().map(String::toCharArray).orElse(null)));
        return tls.build();
    }
}
