package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Entrant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The few numbers that somebody should remember. */
final class Headline {
    private final List<ShapeResult> results;

    /**
     * One of them.
     *
     * @param number as large as it can be printed
     * @param text what it means
     */
    record Card(String number, String text) {}

    Headline(List<ShapeResult> results) {
        this.results = results;
    }

    String sentence() {
        Optional<Double> contended = ratio("one-key-4x3", Entrant.KEYHOLD_JEDIS, Entrant.REDISSON);
        Optional<Double> alone = ratio("own-1", Entrant.KEYHOLD_JEDIS, Entrant.RAW_JEDIS);
        if (contended.isPresent() && alone.isPresent()) {
            return "One lock, three processes: " + Texts.ratio(contended.get())
                    + " Redisson. A lock that nobody else wants: " + Math.round(alone.get() * 100)
                    + " % of bare Redis commands.";
        }
        return "Distributed locks on one Redis server, compared";
    }

    List<Card> cards() {
        List<Card> cards = new ArrayList<>();
        ratio("own-1", Entrant.KEYHOLD_JEDIS, Entrant.REDISSON)
                .ifPresent(ratio -> cards.add(new Card(Texts.ratio(ratio), "Redisson, own key, one thread")));
        ratio("own-32", Entrant.KEYHOLD_JEDIS, Entrant.REDISSON)
                .ifPresent(ratio -> cards.add(new Card(Texts.ratio(ratio), "Redisson, own keys, 32 threads")));
        ratio("one-key-4x3", Entrant.KEYHOLD_JEDIS, Entrant.REDISSON)
                .ifPresent(ratio -> cards.add(new Card(Texts.ratio(ratio), "Redisson, one key, 3 JVMs")));
        ratio("one-key-4x3", Entrant.KEYHOLD_JEDIS_STRICT, Entrant.REDISSON_FAIR)
                .ifPresent(ratio -> cards.add(new Card(Texts.ratio(ratio), "Redisson's fair lock, STRICT, 3 JVMs")));
        toYardstick("semaphore-4x3", "semaphore, 3 JVMs").ifPresent(cards::add);
        toYardstick("read-90-4x3", "read/write lock, 90 % reads, 3 JVMs").ifPresent(cards::add);
        toYardstick("three-keys-1", "three keys at once").ifPresent(cards::add);
        toYardstick("quorum-own-1", "own key on five servers").ifPresent(cards::add);
        figures("handover", Entrant.KEYHOLD_JEDIS)
                .ifPresent(figures -> cards.add(
                        new Card(Texts.nanos(figures.latencies().percentile(50)), "from release to entry, median")));
        return cards;
    }

    /** Against the better one, where Redisson has two kinds. */
    private Optional<Card> toYardstick(String shape, String text) {
        return result(shape)
                .map(result -> result.toYardstick(Entrant.KEYHOLD_JEDIS))
                .filter(ratio -> ratio.isPresent())
                .map(ratio -> new Card(Texts.ratio(ratio), "Redisson, " + text));
    }

    private Optional<Double> ratio(String shape, Entrant one, Entrant other) {
        return result(shape)
                .map(result -> result.ratio(one, other))
                .filter(ratio -> ratio.isPresent())
                .map(ratio -> ratio.getAsDouble());
    }

    private Optional<Figures> figures(String shape, Entrant entrant) {
        return result(shape)
                .flatMap(result -> Optional.ofNullable(result.figures().get(entrant)));
    }

    private Optional<ShapeResult> result(String shape) {
        return results.stream()
                .filter(result -> result.shape().id().equals(shape))
                .findFirst();
    }
}
