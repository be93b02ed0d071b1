package io.keyhold.internal.engine.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RequestStateTest {

    private static final Path PAGE = Path.of("..", "docs", "architecture.md");

    @Test
    void diagramInDocsMatchesTable() throws IOException {
        String page = Files.readString(PAGE);
        for (RequestState state : RequestState.values()) {
            String line = page.lines()
                    .filter(text -> text.matches(state.name() + "( +→ .*)?"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(state + " is missing in " + PAGE));
            String successors = line.contains("→") ? line.substring(line.indexOf('→') + 1) : "";
            Set<RequestState> shown = Arrays.stream(successors.trim().split(" "))
                    .filter(name -> !name.isEmpty())
                    .map(RequestState::valueOf)
                    .collect(Collectors.toSet());
            assertThat(shown).as(line).isEqualTo(state.successors());
        }
    }

    @Test
    void everyStateCanEnd() {
        for (RequestState state : EnumSet.complementOf(EnumSet.of(RequestState.DONE))) {
            assertThat(state.successors()).contains(RequestState.DONE);
        }
        assertThat(RequestState.DONE.successors()).isEmpty();
    }
}
