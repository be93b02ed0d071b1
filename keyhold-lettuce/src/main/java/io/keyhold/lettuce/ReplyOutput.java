package io.keyhold.lettuce;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds any reply as text, number, list or null. Lettuce's own outputs for replies of unknown shape drop a nil at the
 * top, or wrap a single value into a list.
 */
final class ReplyOutput extends CommandOutput<String, String, @Nullable Object> {

    /** The lists that are not complete, the innermost first. */
    private final Deque<List<@Nullable Object>> open = new ArrayDeque<>();

    ReplyOutput() {
        super(StringCodec.UTF8, null);
    }

    @Override
    public void set(@Nullable ByteBuffer text) {
        add(text == null ? null : decodeString(text));
    }

    @Override
    public void set(long integer) {
        add(integer);
    }

    @Override
    public void multi(int count) {
        if (count < 0) { // A nil that was announced as an array, as EXEC replies.
            add(null);
            return;
        }
        List<@Nullable Object> list = new ArrayList<>(count);
        add(list);
        open.push(list);
    }

    /** Called when a value is finished, with the number of lists around it. */
    @Override
    public void complete(int depth) {
        while (open.size() > depth) {
            open.pop();
        }
    }

    /** An error fails the whole reply, wherever it stands; the first one counts. */
    @Override
    public void setError(ByteBuffer words) {
        if (!hasError()) {
            super.setError(words);
        }
    }

    private void add(@Nullable Object value) {
        List<@Nullable Object> innermost = open.peek();
        if (innermost == null) {
            output = value;
        } else {
            innermost.add(value);
        }
    }
}
