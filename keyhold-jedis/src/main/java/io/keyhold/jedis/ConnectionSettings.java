package io.keyhold.jedis;

import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.security.GeneralSecurityException;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** What a URI says, in Jedis's terms. */
final class ConnectionSettings {

    private ConnectionSettings() {}

    /**
     * Neither HELLO nor CLIENT SETINFO is sent: RESP2 is what a server speaks unasked, each would be one more round
     * trip, and access rules may forbid them.
     */
    static JedisClientConfig of(RedisUri uri, int timeoutMillis) {
        DefaultJedisClientConfig.Builder settings = DefaultJedisClientConfig.builder()
                .serverDefaultProtocol()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .connectionTimeoutMillis(timeoutMillis)
                .socketTimeoutMillis(timeoutMillis)
                .database(uri.database());
        uri.user().ifPresent(settings::user);
        uri.password().ifPresent(settings::password);
        uri.clientName().ifPresent(settings::clientName);
        if (uri.tls()) {
            settings.sslOptions(tls(uri));
        }
        return settings.build();
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
