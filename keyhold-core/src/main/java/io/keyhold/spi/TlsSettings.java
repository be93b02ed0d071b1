package io.keyhold.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.UnrecoverableKeyException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How the connections of a URI are encrypted: which authorities the client trusts, and the certificate that it presents. All
 * drivers make their TLS of this, so that it is the same on all. For driver authors.
 *
 * <p>A driver calls {@link #context()} when it is opened, so that a file that is missing or wrong is refused at once, and again for each
 * connection: files that have changed since are read again, as those of certificates that are renewed often.
 *
 * <p>Without a client certificate of its own the client presents that of the JVM, if the system property {@code javax.net.ssl.keyStore}
 * names one; without authorities of its own it trusts those of the JVM.
 */
public final class TlsSettings {

    static final String CA_FILE = "caFile";
    static final String CERT_FILE = "certFile";
    static final String KEY_FILE = "keyFile";
    static final String KEY_STORE = "keyStore";
    static final String KEY_STORE_PASSWORD = "keyStorePassword";
    static final String TRUST_STORE = "trustStore";
    static final String TRUST_STORE_PASSWORD = "trustStorePassword";
    static final Set<String> PARAMETERS =
            Set.of(CA_FILE, CERT_FILE, KEY_FILE, KEY_STORE, KEY_STORE_PASSWORD, TRUST_STORE, TRUST_STORE_PASSWORD);

    private static final String JVM_KEY_STORE = "javax.net.ssl.keyStore";
    /** Of a key store that exists in memory only. */
    private static final char[] NO_SECRET = "memory".toCharArray();

    private final Map<String, String> parameters;
    private final boolean verifyHostname;
    private @Nullable Material last;

    /** What the files said when they had these stamps. */
    private record Material(
            List<Object> stamps,
            @Nullable KeyManagerFactory keys,
            @Nullable TrustManagerFactory trust,
            SSLContext context) {}

    /** Reads no file yet. */
    TlsSettings(Map<String, String> parameters, boolean verifyHostname) {
        this.parameters = Map.copyOf(parameters);
        this.verifyHostname = verifyHostname;
    }

    /** Returns what is wrong with the parameters, as the rest of a sentence about the URI. */
    Optional<String> contradiction() {
        if (has(CA_FILE) && has(TRUST_STORE)) {
            return Optional.of("has both caFile and trustStore; only one of them can say which authorities to trust");
        }
        if (has(KEY_STORE) && (has(CERT_FILE) || has(KEY_FILE))) {
            return Optional.of("has both keyStore and certFile or keyFile; only one can have the client certificate");
        }
        if (has(CERT_FILE) != has(KEY_FILE)) {
            return Optional.of(
                    has(CERT_FILE)
                            ? "has a certFile without a keyFile; add the file with the private key of the certificate"
                            : "has a keyFile without a certFile; add the file with the certificate of the private key");
        }
        for (String store : List.of(TRUST_STORE, KEY_STORE)) {
            if (!has(store) && has(store + "Password")) {
                return Optional.of("has a " + store + "Password without a " + store);
            }
        }
        return Optional.empty();
    }

    private boolean has(String name) {
        return parameters.containsKey(name);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** {@return whether the server's certificate must name the host} */
    public boolean verifyHostname() {
        return verifyHostname;
    }

    /**
     * Returns what makes the connections, for a client that takes a context or a socket factory.
     *
     * @throws IllegalArgumentException if a file is missing or has not what it should have; the message names parameter, file and cure
     */
    public SSLContext context() {
        return material().context;
    }

    /**
     * Returns the client certificate, for a client that makes its context itself.
     *
     * @return empty if the client has none
     * @throws IllegalArgumentException as {@link #context()}
     */
    public Optional<KeyManagerFactory> keyManagers() {
        return Optional.ofNullable(material().keys);
    }

    /**
     * Returns the authorities to trust, for a client that makes its context itself.
     *
     * @return empty if they are the JVM's
     * @throws IllegalArgumentException as {@link #context()}
     */
    public Optional<TrustManagerFactory> trustManagers() {
        return Optional.ofNullable(material().trust);
    }

    /**
     * Returns the parameters of a connection: the name of the host is sent (SNI), so that a proxy for several servers knows which one is
     * meant, and compared with the certificate if {@link #verifyHostname()}.
     *
     * @param host to which the connection is opened
     * @return new parameters, to which a driver may add
     */
    public SSLParameters parameters(String host) {
        SSLParameters connection = new SSLParameters();
        connection.setEndpointIdentificationAlgorithm(verifyHostname ? "HTTPS" : "");
        if (!host.matches("[0-9.]+|.*:.*")) { // SNI has no addresses.
            try {
                connection.setServerNames(List.of(new SNIHostName(host)));
            } catch (IllegalArgumentException e) {
                // Such as my_redis, which networks of containers resolve, but which SNI does not know.
            }
        }
        return connection;
    }

    private synchronized Material material() {
        Material known = last;
        List<Object> stamps = files().stream().map(TlsFile::stamp).toList();
        if (known == null || !known.stamps.equals(stamps)) {
            known = read(stamps);
            last = known;
        }
        return known;
    }

    private List<TlsFile> files() {
        List<TlsFile> files = new ArrayList<>();
        for (String name : List.of(CA_FILE, TRUST_STORE, CERT_FILE, KEY_FILE, KEY_STORE)) {
            if (has(name)) {
                files.add(file(name));
            }
        }
        return files;
    }

    private TlsFile file(String name) {
        return new TlsFile(name, Path.of(Objects.requireNonNull(parameters.get(name))));
    }

    private Material read(List<Object> stamps) {
        try {
            KeyManagerFactory keys = readKeys();
            TrustManagerFactory trust = readTrust();
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keys == null ? null : keys.getKeyManagers(), trust == null ? null : trust.getTrustManagers(), null);
            return new Material(stamps, keys, trust, context);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private @Nullable TrustManagerFactory readTrust() throws GeneralSecurityException {
        KeyStore trusted;
        if (has(CA_FILE)) {
            trusted = emptyStore();
            for (X509Certificate authority : new PemFile(file(CA_FILE)).certificates()) {
                trusted.setCertificateEntry("ca-" + trusted.size(), authority);
            }
        } else if (has(TRUST_STORE)) {
            trusted = file(TRUST_STORE).keyStore(password(TRUST_STORE_PASSWORD), CA_FILE);
        } else {
            return null;
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory;
    }

    private @Nullable KeyManagerFactory readKeys() throws GeneralSecurityException {
        if (has(CERT_FILE)) {
            return keys(file(CERT_FILE), pemKeys(), NO_SECRET);
        }
        if (has(KEY_STORE)) {
            char[] secret = password(KEY_STORE_PASSWORD);
            TlsFile file = file(KEY_STORE);
            return keys(file, file.keyStore(secret, "certFile and keyFile"), secret);
        }
        String ofJvm = System.getProperty(JVM_KEY_STORE, "");
        if (ofJvm.isEmpty() || ofJvm.equals("NONE")) {
            return null;
        }
        String secret = System.getProperty(JVM_KEY_STORE + "Password");
        TlsFile file = new TlsFile(JVM_KEY_STORE, Path.of(ofJvm));
        char[] password = secret == null ? null : secret.toCharArray();
        return keys(file, file.keyStore(password, "certFile and keyFile in the Redis URI"), password);
    }

    private char @Nullable [] password(String name) {
        return text(name).map(String::toCharArray).orElse(null);
    }

    private KeyStore pemKeys() throws GeneralSecurityException {
        TlsFile certFile = file(CERT_FILE);
        List<X509Certificate> chain = new PemFile(certFile).certificates();
        PrivateKey key = new PemFile(file(KEY_FILE)).privateKey();
        if (!isPair(chain.get(0), key)) {
            throw file(KEY_FILE)
                    .bad("is not the private key of the first certificate in certFile '" + certFile.path()
                            + "'; name the two files that were made together");
        }
        KeyStore store = emptyStore();
        try {
            store.setKeyEntry("client", key, NO_SECRET, chain.toArray(X509Certificate[]::new));
        } catch (GeneralSecurityException e) {
            throw certFile.bad("must have the client's certificate first and then those that signed it, in order");
        }
        return store;
    }

    /** Whether what the key signs can be checked with the certificate. */
    private static boolean isPair(X509Certificate certificate, PrivateKey key) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(new byte[] {1});
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(new byte[] {1});
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false; // Of different algorithms.
        }
    }

    private static KeyManagerFactory keys(TlsFile file, KeyStore store, char @Nullable [] password)
            throws GeneralSecurityException {
        boolean hasKey = false;
        for (String alias : Collections.list(store.aliases())) {
            hasKey |= store.isKeyEntry(alias);
        }
        if (!hasKey) {
            throw file.bad("has no private key; a store with certificates only belongs to trustStore");
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        try {
            factory.init(store, password);
        } catch (UnrecoverableKeyException e) {
            throw file.bad("has a private key with a password other than that of the store; give them the same");
        }
        return factory;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_SECRET);
            return store;
        } catch (IOException e) {
            throw new AssertionError("nothing is read", e);
        }
    }
}
