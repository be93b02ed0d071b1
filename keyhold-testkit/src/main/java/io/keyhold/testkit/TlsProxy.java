package io.keyhold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Speaks TLS with the client and plain text with the server behind it: a {@code rediss://} address for any server. */
public final class TlsProxy implements AutoCloseable {
    private final ProxyListener listener;

    private TlsProxy(ServerSocket socket, ServerAddress server) {
        this.listener = ProxyListener.start(socket, server, new Traffic());
    }

    /** Listens on a free port of 127.0.0.1 with the key of the given certificates. */
    public static TlsProxy to(String host, int port, TestCertificates certificates) {
        return to(host, port, certificates.keyStore(), certificates.password());
    }

    /**
     * Listens on a free port of 127.0.0.1.
     *
     * @param keyStore a PKCS12 file with the private key to present to clients
     * @param password of the key store, and of the key in it
     */
    public static TlsProxy to(String host, int port, Path keyStore, String password) {
        ServerAddress server = ServerAddress.of(host, port);
        try {
            ServerSocket socket = context(keyStore, password)
                    .getServerSocketFactory()
                    .createServerSocket(0, ProxyListener.BACKLOG, ServerAddress.local());
            return new TlsProxy(socket, server);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen with key store " + keyStore + ": " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("key store " + keyStore + ": " + e.getMessage(), e);
        }
    }

    private static SSLContext context(Path keyStore, String password) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(keyStore)) {
            keys.load(content, password.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /** Returns the port to connect to, instead of the server's. */
    public int port() {
        return listener.port();
    }

    /** Returns where to connect to, as {@code rediss://127.0.0.1:PORT}. */
    public String uri() {
        return "rediss://" + ServerAddress.LOCAL + ":" + port();
    }

    /** Ends all connections and listens no longer. */
    @Override
    public void close() {
        listener.close();
    }
}
