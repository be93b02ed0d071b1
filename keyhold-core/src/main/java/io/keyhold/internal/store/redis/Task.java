package io.keyhold.internal.store.redis;

import io.keyhold.inspect.LockKind;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Snapshots;
import java.util.List;
import java.util.Optional;

/**
 * What is asked of the server, in the words of its failure: {@code cannot acquire lock 'a'}.
 *
 * @param text all of it, such as {@code acquire lock 'a'}
 * @param each what is done with each of the keys, such as {@code acquire lock}
 * @param keys the keys, if their kind matters
 * @param wanted the kind that the keys must have; empty if any
 */
public record Task(String text, String each, List<String> keys, Optional<LockKind> wanted) {

    /** Returns a task on what a request wants or holds. */
    public static Task on(String verb, Claim claim) {
        return new Task(
                verb + " " + claim.text(), verb + " " + claim.noun(), claim.keys(), Optional.of(Snapshots.kind(claim)));
    }

    /** Returns a task on one key. */
    public static Task on(String verb, String key, Optional<LockKind> wanted) {
        return new Task(verb + " " + quoted(key), verb, List.of(key), wanted);
    }

    /** Returns a task on no particular key. */
    public static Task of(String text) {
        return new Task(text, text, List.of(), Optional.empty());
    }

    /** Returns the part of the task that is about one of its keys. */
    String text(String key) {
        return each + " " + quoted(key);
    }

    private static String quoted(String key) {
        return "'" + Formats.cut(key, 80) + "'";
    }
}
