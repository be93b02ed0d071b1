/** Contract tests for drivers, and proxies that break connections on purpose. */
module io.keyhold.testkit {
    requires transitive io.keyhold;
    requires transitive io.keyhold.embedded;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires org.assertj.core;
    requires static org.jspecify;

    exports io.keyhold.testkit;
    exports io.keyhold.testkit.driver;

    // JUnit calls the tests by reflection.
    opens io.keyhold.testkit to
            org.junit.platform.commons;
    opens io.keyhold.testkit.driver to
            org.junit.platform.commons;
}
