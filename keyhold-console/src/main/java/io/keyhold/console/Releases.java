package io.keyhold.console;

import io.keyhold.KeyholdException;
import io.keyhold.console.internal.JsonText;
import io.keyhold.console.internal.Printable;
import io.keyhold.inspect.LockInspector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Releases locks by force: only if that is allowed, only from the holder that was seen, and never without a line in the log. */
final class Releases {

    private static final System.Logger LOG = System.getLogger("io.keyhold.console.audit");
    private static final int LONGEST_REASON = 500;

    private final LockInspector inspector;
    private final History history;
    private final boolean allowed;
    private final Consumer<String> audit;

    Releases(LockInspector inspector, History history, ConsoleOptions options) {
        this.inspector = inspector;
        this.history = history;
        this.allowed = options.allowRelease;
        this.audit = options.audit;
    }

    Map<String, @Nullable Object> release(ConsoleRequest request) {
        if (!allowed) {
            throw new ConsoleFailure(403, "this console is read-only: start it with --allow-release to release locks");
        }
        // A form of another site cannot send this type.
        if (!request.contentType().split(";", -1)[0].strip().equalsIgnoreCase("application/json")) {
            throw new ConsoleFailure(
                    415, "the content type must be application/json, was '" + request.contentType() + "'");
        }
        Map<String, @Nullable Object> fields = JsonText.readObject(request.body());
        String key = text(fields, "key");
        String token = text(fields, "token");
        if (!text(fields, "typedKey").equals(key)) {
            throw new ConsoleFailure(400, "the typed key is not the key of the lock");
        }
        String reason = text(fields, "reason").strip();
        if (reason.isEmpty() || reason.length() > LONGEST_REASON) {
            throw new ConsoleFailure(
                    400, "the reason must have 1 to " + LONGEST_REASON + " characters, had " + reason.length());
        }
        return release(key, token, reason);
    }

    /** One at a time: of two for the same hold, the second leaves the mark of the first. */
    private synchronized Map<String, @Nullable Object> release(String key, String token, String reason) {
        boolean released = false;
        // Before the release, because a sample may follow at once.
        boolean marked = history.forced(key, token);
        try {
            released = inspector.forceRelease(key, token);
        } catch (KeyholdException e) {
            record(key, token, "failed: " + e.getMessage(), reason);
            throw e;
        } finally {
            if (marked && !released) {
                history.notForced(key, token);
            }
        }
        record(key, token, released ? "released" : "left alone: no longer held with this token", reason);
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("released", released);
        object.put(
                "message",
                released
                        ? "The lock was taken from its holder."
                        : "The hold has ended or changed meanwhile; nothing was released.");
        return object;
    }

    private void record(String key, String token, String outcome, String reason) {
        String line =
                Printable.text("force release of '" + key + "' from " + token + ": " + outcome + "; reason: " + reason);
        LOG.log(System.Logger.Level.WARNING, line);
        audit.accept(line);
    }

    private static String text(Map<String, @Nullable Object> fields, String name) {
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw new ConsoleFailure(400, name + " must be text, was " + fields.get(name));
    }
}
