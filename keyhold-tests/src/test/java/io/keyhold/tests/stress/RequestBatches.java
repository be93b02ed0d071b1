package io.keyhold.tests.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Many requests, of which a limited number are in flight. */
final class RequestBatches {

    private static final int AT_A_TIME = 250;

    /** A safety limit. */
    private static final long LIMIT_SECONDS = 150;

    private RequestBatches() {}

    /** Returns the results of requests 0, 1, 2 and so on, in that order. */
    static <T> List<T> results(int count, IntFunction<CompletableFuture<T>> request) throws Exception {
        List<T> results = new ArrayList<>();
        for (int first = 0; first < count; first += AT_A_TIME) {
            List<CompletableFuture<T>> portion = IntStream.range(first, Math.min(first + AT_A_TIME, count))
                    .mapToObj(request)
                    .toList();
            for (CompletableFuture<T> result : portion) {
                results.add(result.get(LIMIT_SECONDS, TimeUnit.SECONDS));
            }
        }
        return results;
    }
}
