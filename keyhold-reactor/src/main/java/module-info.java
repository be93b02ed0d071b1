/** {@code Mono} and {@code Flux} under a lock of Keyhold. */
module io.keyhold.reactor {
    requires transitive io.keyhold;
    requires transitive reactor.core;
    requires transitive org.reactivestreams;
    requires static org.jspecify;

    exports io.keyhold.reactor;
}
