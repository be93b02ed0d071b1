package io.keyhold.cli;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Where the library's log goes: to standard error, a line each, if the user asked for more; else nowhere, as the command
 * itself says what matters. Found as a service, before java.util.logging, which would take longer to start than the command.
 */
public final class QuietLoggers extends System.LoggerFinder {

    /** For the service loader. */
    public QuietLoggers() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Line(name);
    }

    private record Line(String name) implements System.Logger {

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
            if (isLoggable(level)) {
                Diagnostics.say(thrown == null ? message : message + ": " + thrown);
            }
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
            if (isLoggable(level)) {
                Diagnostics.say(values == null || values.length == 0 ? format : MessageFormat.format(format, values));
            }
        }
    }
}
