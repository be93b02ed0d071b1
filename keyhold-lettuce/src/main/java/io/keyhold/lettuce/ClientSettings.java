package io.keyhold.lettuce;

import io.keyhold.spi.Credentials;
import io.keyhold.spi.RedisUri;
import io.keyhold.spi.TlsSettings;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.Transports.NativeTransports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** Translates a URI to Lettuce's settings. */
final class ClientSettings {

    private ClientSettings() {}

    /** Creates a client on these threads. */
    static RedisClient ownClient(RedisUri uri, SharedThreads threads) {
        RedisClient client = RedisClient.create(threads.get());
        ClientOptions.Builder options = ClientOptions.builder()
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(uri.connectTimeout())
                        .keepAlive(true)
                        .build());
        if (uri.tls()) {
            options.sslOptions(tls(uri));
        }
        client.setOptions(strict(options, uri.commandTimeout(), uri.tls()));
        return client;
    }

    /** Creates a client that shares threads, socket and TLS options with an application's. */
    static RedisClient sharingClient(AbstractRedisClient application, RedisURI uri, Duration commandTimeout) {
        RedisClient client = RedisClient.create(application.getResources());
        client.setOptions(strict(application.getOptions().mutate(), commandTimeout, uri.isSsl()));
        return client;
    }

    /**
     * Sets what the driver promises, over all other settings.
     *
     * <p>Above all, no reconnecting by Lettuce: with it, Lettuce sends commands again that were in flight when the connection
     * broke. An acquire whose caller was told that its outcome is unknown, and which has sent a compensating release, would
     * be executed after that release and leave a lock without a holder.
     *
     * <p>Neither HELLO, PING, CLIENT SETINFO nor CLIENT MAINT_NOTIFICATIONS is sent: each would be one more round trip,
     * and access rules may forbid them. Only with TLS there is a PING (or AUTH), because Lettuce would not wait for the
     * handshake: a certificate that is not trusted would look like a connection that broke after the command was sent.
     */
    private static ClientOptions strict(ClientOptions.Builder options, Duration commandTimeout, boolean tls) {
        try {
            options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        } catch (NoClassDefFoundError e) {
            // Lettuce 6 has no such notifications.
        }
        return options.autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP2)
                .pingBeforeActivateConnection(tls)
                .timeoutOptions(TimeoutOptions.enabled(commandTimeout))
                .build();
    }

    /**
     * Fails now rather than at the first call if the URI names several servers, Unix domain sockets are not supported or a file
     * for TLS is missing or wrong.
     */
    static RedisURI of(RedisUri uri) {
        uri.requireSingleServer();
        if (uri.tls()) {
            uri.tlsSettings().context();
        }
        RedisURI.Builder settings = uri.socket()
                .map(ClientSettings::socket)
                .orElseGet(() -> RedisURI.Builder.redis(uri.host(), uri.port()))
                .withTimeout(uri.connectTimeout()) // For the steps of connecting; commands have their own.
                .withLibraryName("")
                .withLibraryVersion("")
                .withDatabase(uri.database())
                .withSsl(uri.tls())
                .withVerifyPeer(uri.tlsSettings().verifyHostname() ? SslVerifyMode.FULL : SslVerifyMode.CA);
        uri.clientName().ifPresent(settings::withClientName);
        if (uri.hasSuppliedCredentials()) {
            settings.withAuthentication(supplied(uri));
        } else {
            uri.credentials().map(ClientSettings::provider).ifPresent(settings::withAuthentication);
        }
        return settings.build();
    }

    private static StaticCredentialsProvider provider(Credentials credentials) {
        return new StaticCredentialsProvider(
                credentials.user(), credentials.password().toCharArray());
    }

    /** Asks on a thread of its own: connections are opened by threads that must not wait, and the application may fetch a token. */
    private static RedisCredentialsProvider supplied(RedisUri uri) {
        return () -> Mono.fromFuture(CompletableFuture.supplyAsync(
                        () -> uri.credentials().orElseThrow(), ClientSettings::startThread))
                .flatMap(credentials -> provider(credentials).resolveCredentials());
    }

    private static void startThread(Runnable task) {
        Thread thread = new Thread(task, "keyhold-credentials");
        thread.setDaemon(true);
        thread.start();
    }

    private static RedisURI.Builder socket(Path path) {
        if (!NativeTransports.isDomainSocketSupported()) {
            throw new IllegalArgumentException("the Unix domain socket '" + path
                    + "' of the Redis URI needs netty's native transport; add io.netty:netty-transport-native-epoll (Linux) or "
                    + "io.netty:netty-transport-native-kqueue (macOS) with the classifier of this machine");
        }
        return RedisURI.Builder.socket(path.toString());
    }

    private static SslOptions tls(RedisUri uri) {
        TlsSettings tls = uri.tlsSettings();
        return SslOptions.builder()
                .jdkSslProvider()
                .handshakeTimeout(uri.connectTimeout())
                .sslContext(
                        context -> { // For each connection.
                            tls.keyManagers().ifPresent(context::keyManager);
                            tls.trustManagers().ifPresent(context::trustManager);
                        })
                .sslParameters(() -> tls.parameters(uri.host()))
                .build();
    }
}
