/** Checks servers for what endangers locks. */
module io.keyhold.doctor {
    requires transitive io.keyhold;
    requires static org.jspecify;

    exports io.keyhold.doctor;
}
