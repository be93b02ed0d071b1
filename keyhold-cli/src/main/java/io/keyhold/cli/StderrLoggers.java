package io.keyhold.cli;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Writes the library's log to standard error with {@code --verbose}, else discards it. Registered as a service, because
 * java.util.logging would take longer to start than the command.
 */
public final class StderrLoggers extends System.LoggerFinder {

    /** For the service loader. */
    public StderrLoggers() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new StderrLogger(name);
    }

    private record StderrLogger(String name) implements System.Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return Diagnostics.isVerbose() && level.getSeverity() >= Level.INFO.getSeverity();
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            log(level, bundle, thrown == null ? message : message + ": " + thrown, new Object[0]);
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
            if (isLoggable(level)) {
                Diagnostics.print(values == null || values.length == 0 ? format : MessageFormat.format(format, values));
            }
        }
    }
}
