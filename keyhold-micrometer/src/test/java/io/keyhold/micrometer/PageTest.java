package io.keyhold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.KeyholdListener.Ended.End;
import io.keyhold.KeyholdListener.Granted.Path;
import io.keyhold.KeyholdListener.NotGranted.Outcome;
import io.keyhold.KeyholdListener.Request.Kind;
import io.keyhold.LeaseLost.Reason;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of meters says what the code registers, and nothing else. */
final class PageTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final List<String> page = Files.readAllLines(
            java.nio.file.Path.of(Objects.requireNonNull(System.getProperty("keyhold.root")), "docs", "micrometer.md"));

    PageTest() throws IOException {}

    @Test
    void pageHasEveryMeterWithItsTypeAndTags() throws InterruptedException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Exercised.in(registry);
        assertThat(registry.getMeters().stream()
                        .map(Meter::getId)
                        .map(PageTest::described)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(rows("`keyhold\\.(?!observed).*")
                        .map(row -> code(row.get(0)).first() + " " + row.get(1) + " " + code(row.get(2)))
                        .toList());
    }

    private static String described(Meter.Id id) {
        String type = id.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        TreeSet<String> tags = id.getTags().stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new));
        return id.getName() + " " + type + " " + tags;
    }

    @Test
    void pageHasEveryValueOfTag() {
        assertThat(values("`kind`")).isEqualTo(lower(Kind.values()));
        assertThat(values("`outcome` of `keyhold.acquire`")).isEqualTo(lower(Outcome.values(), "granted"));
        assertThat(values("`path`")).isEqualTo(lower(Path.values(), "none"));
        assertThat(values("`end`")).isEqualTo(lower(End.values()));
        assertThat(values("`reason`")).isEqualTo(lower(Reason.values()));
        assertThat(values("`state`")).isEqualTo(lower(QuorumNodes.State.values()));
        assertThat(values("`outcome` of `keyhold.renewal`")).isEqualTo(Set.of("renewed", "lost", "unknown"));
    }

    @Test
    void pageHasEveryObservationWithItsValues() {
        assertThat(rows("`keyhold\\.observed.*")
                        .map(row -> code(row.get(0)).first() + code(row.get(2)) + code(row.get(3))))
                .containsExactly(
                        AcquireObservationConvention.DEFAULT.getName() + values(KeyholdObservation.ACQUIRE),
                        HoldObservationConvention.DEFAULT.getName() + values(KeyholdObservation.HOLD));
    }

    private static String values(KeyholdObservation observation) {
        return names(observation.getLowCardinalityKeyNames()) + "" + names(observation.getHighCardinalityKeyNames());
    }

    private static SortedSet<String> names(KeyName... names) {
        return Arrays.stream(names).map(KeyName::asString).collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> values(String tag) {
        return rows(Pattern.quote(tag)).map(row -> code(row.get(1))).findFirst().orElseThrow();
    }

    /** The rows of tables whose first cell matches. */
    private Stream<List<String>> rows(String first) {
        return page.stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> Arrays.stream(line.substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .filter(cells -> cells.get(0).matches(first));
    }

    private static SortedSet<String> code(String cell) {
        return CODE.matcher(cell).results().map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> lower(Enum<?>[] values, String... more) {
        return Stream.concat(
                        Arrays.stream(values).map(value -> value.name().toLowerCase(Locale.ROOT)), Arrays.stream(more))
                .collect(Collectors.toSet());
    }
}
