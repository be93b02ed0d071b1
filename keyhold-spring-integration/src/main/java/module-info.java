/** A lock registry and a leader initiator for Spring Integration. */
module io.keyhold.spring.integration {
    requires transitive io.keyhold;
    requires static org.jspecify;
    requires spring.beans;
    requires transitive spring.context;
    requires spring.core;
    requires transitive spring.integration.core;
    requires spring.tx;

    exports io.keyhold.spring.integration;
}
