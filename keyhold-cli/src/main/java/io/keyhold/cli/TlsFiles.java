package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Optional;

/**
 * The files for TLS that options name. They become parameters of the URI.
 *
 * @param authorities the option {@code --cacert}
 * @param certificate the option {@code --cert}
 * @param key the option {@code --cert-key}
 */
record TlsFiles(Optional<String> authorities, Optional<String> certificate, Optional<String> key) {

    /** Whether no option is set. */
    boolean isEmpty() {
        return authorities.isEmpty() && certificate.isEmpty() && key.isEmpty();
    }

    /** Returns the URI with these files. */
    String addTo(String uri) {
        return with(with(with(uri, "caFile", authorities), "certFile", certificate), "keyFile", key);
    }

    private static String with(String uri, String parameter, Optional<String> file) {
        return file.map(path -> uri + (uri.contains("?") ? "&" : "?") + parameter + "="
                        + URLEncoder.encode(path, UTF_8).replace("+", "%20"))
                .orElse(uri);
    }
}
