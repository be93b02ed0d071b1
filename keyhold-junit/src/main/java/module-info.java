/** A JUnit extension that injects Keyhold clients, and assertions about locks. */
module io.keyhold.junit {
    requires transitive io.keyhold;
    requires transitive org.junit.jupiter.api;
    requires static io.keyhold.embedded;
    requires static org.jspecify;

    exports io.keyhold.junit;

    // JUnit creates the extension by reflection.
    opens io.keyhold.junit to
            org.junit.platform.commons;
}
