package io.keyhold.spi;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The certificates or the private key in a PEM file. Text around the blocks is ignored, and a file may have blocks of both kinds. */
final class PemFile {

    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private final TlsFile file;
    private final List<Block> blocks = new ArrayList<>();

    private record Block(String kind, String base64) {}

    PemFile(TlsFile file) {
        this.file = file;
        Matcher matcher = BLOCK.matcher(new String(file.content(), StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
    }

    static boolean isPem(byte[] content) {
        return new String(content, StandardCharsets.ISO_8859_1).contains("-----BEGIN ");
    }

    List<X509Certificate> certificates() {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks) {
                if (block.kind.equals(CERTIFICATE)) {
                    certificates.add(
                            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(decoded(block))));
                }
            }
        } catch (CertificateException e) {
            throw file.bad("has a certificate that cannot be read: " + e.getMessage());
        }
        if (certificates.isEmpty()) {
            throw file.bad("has no certificate in PEM (-----BEGIN CERTIFICATE-----); "
                    + "convert a DER file with: openssl x509 -inform der -in " + file.path() + " -out certificate.pem");
        }
        return certificates;
    }

    PrivateKey privateKey() {
        for (Block block : blocks) {
            if (block.kind.equals(PRIVATE_KEY)) {
                return privateKey(decoded(block));
            }
        }
        String other = blocks.stream()
                .map(Block::kind)
                .filter(kind -> kind.endsWith(PRIVATE_KEY))
                .findFirst()
                .map(kind ->
                        "has a key of the kind '" + kind + "', but only 'PRIVATE KEY' (PKCS #8, not encrypted) is read")
                .orElse("has no private key in PEM (-----BEGIN PRIVATE KEY-----)");
        throw file.bad(other + "; convert it with: openssl pkcs8 -topk8 -nodes -in " + file.path() + " -out key.pem");
    }

    private byte[] decoded(Block block) {
        try {
            return Base64.getMimeDecoder().decode(block.base64);
        } catch (IllegalArgumentException e) {
            throw file.bad("has a " + block.kind + " that is not Base64");
        }
    }

    /** PKCS #8 says which algorithm the key is for, but the JDK must be told. */
    private PrivateKey privateKey(byte[] encoded) {
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (GeneralSecurityException e) {
                // It is for another one.
            }
        }
        throw file.bad("has a private key that cannot be read; it must be one of " + KEY_ALGORITHMS);
    }
}
