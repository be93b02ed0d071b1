package io.keyhold.spi;

import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in one line what a failed TLS connection means, and what cures it. The JDK and netty say it in words of their own. */
final class TlsHints {

    private static final Pattern ALERT = Pattern.compile("Received fatal alert: (\\w+)");
    private static final Pattern OTHER_HOST = Pattern.compile("No (subject alternative|name matching).*");
    private static final Pattern REFUSED_CERTIFICATE =
            Pattern.compile("bad_certificate|unsupported_certificate|certificate_\\w+|unknown_ca|access_denied");
    private static final Pattern NOT_TLS =
            Pattern.compile("(?s)(Unsupported or unrecognized SSL message|not an SSL/TLS).*");
    /** What Jedis and Lettuce say where a TLS alert begins in place of a reply. */
    private static final Pattern ALERT_FOR_REPLY =
            Pattern.compile("(?s)(Unknown reply: \\x15|Invalid first byte: 21\\b).*");

    private static final Pattern SILENT = Pattern.compile("(?s)handshake timed out.*");

    private TlsHints() {}

    /** Returns the rest of a sentence that begins with "cannot connect to the server:". */
    static Optional<String> of(Throwable failure) {
        return chain(failure).stream().flatMap(each -> ofOne(each).stream()).findFirst();
    }

    /**
     * Returns the failure with those below it, as the cause or (one for each address tried) as suppressed. The innermost, which is
     * the most telling, is the first.
     */
    static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable each = failure; each != null && chain.size() < 20; each = next(each)) {
            chain.add(0, each);
        }
        return chain;
    }

    private static @Nullable Throwable next(Throwable each) {
        return each.getCause() == null && each.getSuppressed().length > 0 ? each.getSuppressed()[0] : each.getCause();
    }

    private static Optional<String> ofOne(Throwable each) {
        String words = String.valueOf(each.getMessage());
        if (each instanceof CertificateExpiredException) {
            return hint("its certificate has expired (" + words + "); renew it on the server");
        } else if (each instanceof CertificateNotYetValidException) {
            return hint("its certificate is not valid yet (" + words + "); check the clocks of both machines");
        } else if (each instanceof CertificateException
                && OTHER_HOST.matcher(words).matches()) {
            return hint(
                    "its certificate is for another host (" + words
                            + "); use a host name that the certificate has, or verifyHostname=false if another host cannot be in between");
        } else if (words.contains("unable to find valid certification path")) {
            return hint("its certificate is not signed by an authority that this client trusts; "
                    + "name the file with the authority's certificate by caFile or trustStore in the URI");
        } else if (each instanceof SSLException && NOT_TLS.matcher(words).matches()) {
            return hint("it does not speak TLS on this port; use its TLS port, or redis:// instead of rediss://");
        } else if (ALERT_FOR_REPLY.matcher(words).matches()) {
            return hint("it speaks TLS on this port; use rediss:// instead of redis://");
        } else if (each instanceof SSLException && SILENT.matcher(words).matches()) {
            return hint(noHandshake());
        }
        Matcher alert = ALERT.matcher(words);
        return each instanceof SSLException && alert.find() ? ofAlert(alert.group(1)) : Optional.empty();
    }

    private static Optional<String> ofAlert(String alert) {
        if (alert.equals("certificate_required")) {
            return hint(noCertificate());
        } else if (REFUSED_CERTIFICATE.matcher(alert).matches()) {
            return hint("it does not accept the client certificate (" + alert
                    + "); use one that an authority has signed which the server trusts");
        }
        return Optional.empty();
    }

    private static Optional<String> hint(String text) {
        return Optional.of(text);
    }

    static String noHandshake() {
        return "it did not reply to the TLS handshake in time; "
                + "if it does not speak TLS on this port, use its TLS port, or redis:// instead of rediss://";
    }

    static String noCertificate() {
        return "it demands a client certificate; add certFile and keyFile, or keyStore, to the URI";
    }

    /** Returns what it means that the server closed the connection before its first reply. */
    static String closed(RedisUri uri) {
        if (!uri.tls()) {
            return "it closed the connection without a reply; if it speaks TLS on this port, use rediss:// instead of redis://";
        }
        return "it closed the connection after the TLS handshake; "
                + (uri.tlsSettings().keyManagers().isPresent()
                        ? "it may not accept the client certificate"
                        : "if it demands a client certificate, add certFile and keyFile, or keyStore, to the URI");
    }
}
