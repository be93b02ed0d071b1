package io.keyhold.testkit.driver;

import io.keyhold.testkit.TestCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** Listens with TLS for one client, notes which host name it asks for (SNI), and closes the connection. */
final class HostNameListener implements AutoCloseable {

    private final SSLServerSocket socket;
    private final CompletableFuture<String> requested = new CompletableFuture<>();

    private HostNameListener(SSLServerSocket socket) {
        this.socket = socket;
    }

    static HostNameListener start(TestCertificates certificates) throws IOException, GeneralSecurityException {
        char[] password = certificates.password().toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(certificates.keyStore())) {
            store.load(content, password);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HostNameListener listener = new HostNameListener((SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getByName("localhost")));
        Thread thread = new Thread(listener::accept, "host-name-listener");
        thread.setDaemon(true);
        thread.start();
        return listener;
    }

    private void accept() {
        try (SSLSocket client = (SSLSocket) socket.accept()) {
            client.startHandshake();
            requested.complete(((ExtendedSSLSession) client.getSession())
                    .getRequestedServerNames().stream()
                            .filter(SNIHostName.class::isInstance)
                            .map(name -> ((SNIHostName) name).getAsciiName())
                            .findFirst()
                            .orElse("none"));
        } catch (IOException e) {
            requested.completeExceptionally(e);
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    CompletableFuture<String> requested() {
        return requested;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
