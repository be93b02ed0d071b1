package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A key is the same lock in every locale. The scripts spell keys as bytes, because the locale of this process may not be able to
 * encode them.
 */
@Tag("full")
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class KeyLocaleTest {

    private static final String LOCALES = """
            locales=("LC_ALL=C" "LC_ALL=C.UTF-8" "-u LC_ALL -u LC_CTYPE -u LANG")
            green=$'gr\\xc3\\xbcn' groen=$'gr\\xc3\\xb6n'
            """;

    @TempDir
    private Path home = Path.of("");

    private Launcher.Result bash(String script) {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            return Launcher.in(home).on(server.uri()).bash(LOCALES + script);
        }
    }

    @Test
    void sameLockInEveryLocale() {
        Launcher.Result result = bash("""
                for holder in "${locales[@]}"; do
                  token=$(env $holder "$KEYHOLD" acquire "$green" --lease 10m) || exit
                  for other in "${locales[@]}"; do
                    env $other "$KEYHOLD" run "$green" --no-wait -- echo a second holder
                    echo $?
                  done
                  env $holder "$KEYHOLD" run "$groen" --no-wait -- echo another lock
                  "$KEYHOLD" release "$green" --token "$token" || exit
                done
                """);
        assertThat(result.output()).isEqualTo("201\n201\n201\nanother lock\n".repeat(3));
        assertThat(result.error().lines()).hasSize(9).allMatch(line -> line.startsWith("keyhold: busy: 'gr\u00fcn' "));
    }

    @Test
    void keyIsPrintedUnchanged() {
        Launcher.Result result = bash("""
                for locale in "${locales[@]}"; do
                  env $locale "$KEYHOLD" run "$green" -- sh -c 'echo "$KEYHOLD_KEY ${LC_ALL-}"'
                  env $locale "$KEYHOLD" acquire "$groen" --lease 10m --json | cut -d, -f1
                  env $locale "$KEYHOLD" show "$groen" | head -n 1
                  env $locale "$KEYHOLD" ls | tail -n 1 | cut -d' ' -f1
                  env $locale "$KEYHOLD" release "$groen" --force --yes || exit
                done
                """);
        String shown = "{\"keys\":[\"gr\u00f6n\"]\nkey       gr\u00f6n\ngr\u00f6n\n";
        assertThat(result)
                .isEqualTo(new Launcher.Result(
                        0, "gr\u00fcn C\n" + shown + "gr\u00fcn C.UTF-8\n" + shown + "gr\u00fcn \n" + shown, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run KEY --no-wait -- echo inside",
                "acquire KEY",
                "renew KEY --token x",
                "release KEY --force --yes",
                "show KEY",
                "doctor --key KEY"
            })
    void keyThatIsNotUtf8IsRefused(String command) {
        Launcher.Result result = bash("\"$KEYHOLD\" " + command.replace("KEY", "$'b\\xfcro'"));
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.output()).isEmpty();
        assertThat(result.error().lines())
                .singleElement()
                .asString()
                .startsWith("keyhold: key 'b\ufffdro' must be UTF-8");
    }
}
