/** Meters and observations of Keyhold. */
module io.keyhold.micrometer {
    requires transitive io.keyhold;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires transitive micrometer.commons;
    requires static org.jspecify;

    exports io.keyhold.micrometer;
}
