package io.keyhold.spi;

import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import org.jspecify.annotations.Nullable;

/**
 * A file that has certificates or keys.
 *
 * @param setting the parameter of the URI, or the system property, that names it
 */
record TlsFile(String setting, Path path) {

    byte[] content() {
        try {
            return Files.readAllBytes(path);
        } catch (NoSuchFileException e) {
            throw bad("does not exist; check the path");
        } catch (AccessDeniedException e) {
            throw bad("may not be read by this process; check its permissions");
        } catch (IOException e) {
            throw bad("cannot be read: " + e.getMessage());
        }
    }

    /** Returns what tells a changed file from the one that was read. */
    Object stamp() {
        File file = path.toFile();
        return file.lastModified() + "/" + file.length();
    }

    /** Reads it as a key store, PKCS12 or JKS. */
    KeyStore keyStore(char @Nullable [] password, String pemSetting) {
        if (PemFile.isPem(content())) {
            throw bad("is a PEM file, not a key store; name it with " + pemSetting);
        }
        KeyStore store;
        try {
            store = KeyStore.getInstance(path.toFile(), password);
            if (store.size() == 0) { // Without its password a PKCS12 file shows none.
                throw bad("has no entry that can be read; give its password with " + setting + "Password");
            }
        } catch (IOException | GeneralSecurityException e) {
            throw bad("cannot be read: " + e.getMessage());
        }
        return store;
    }

    IllegalArgumentException bad(String rule) {
        return new IllegalArgumentException(setting + " '" + path + "' " + rule);
    }
}
