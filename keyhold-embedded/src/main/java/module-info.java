/**
 * Starts a real redis-server for tests, demos and the command-line tool.
 *
 * <p>The jar with the bundled executables has no module name to rely on, so it is not required here: on a module path it
 * takes part only with {@code --add-modules embedded.redis}; on the class path it always does.
 */
module io.keyhold.embedded {
    requires static org.jspecify;

    exports io.keyhold.embedded;
    exports io.keyhold.embedded.internal to
            io.keyhold.testkit;
}
