package io.keyhold.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a connection authenticates.
 *
 * @param user the ACL user, or null for the default user
 * @param password the password, or a token that serves as one
 */
public record Credentials(@Nullable String user, String password) {

    /** Checks that there is a password. */
    public Credentials {
        Objects.requireNonNull(password, "password must not be null");
    }

    /** {@return the user, without the password} */
    @Override
    public String toString() {
        return "Credentials[" + (user == null ? "default user" : user) + "]";
    }
}
