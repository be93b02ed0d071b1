/** Keyhold for Kotlin coroutines. */
module io.keyhold.kotlin {
    requires transitive io.keyhold;
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    requires static org.jspecify;

    exports io.keyhold.kotlin;
}
