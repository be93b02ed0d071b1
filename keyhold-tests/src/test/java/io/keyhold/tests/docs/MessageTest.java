package io.keyhold.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.tests.modules.KeyholdModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The messages in docs/troubleshooting.md are those of the code. */
final class MessageTest {

    private static final Path ROOT = KeyholdModule.root();
    private static final List<String> MODULES = List.of("keyhold-core", "keyhold-jedis", "keyhold-lettuce");
    /** A row of a table that starts with a message. */
    private static final Pattern ROW = Pattern.compile("^\\| `([^`]*)` \\|", Pattern.MULTILINE);
    /** Joins a literal that goes on in the next line. */
    private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

    @Test
    void everyMessageIsInCode() throws IOException {
        List<String> messages = ROW.matcher(Files.readString(ROOT.resolve("docs/troubleshooting.md")))
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(messages).hasSizeGreaterThan(30);
        assertThat(missing(messages)).isEmpty();
    }

    @Test
    void unknownMessageIsReported() throws IOException {
        assertThat(missing(List.of("Redis at … says: …", "Redis at … speaks: …")))
                .containsExactly("speaks:");
    }

    private static List<String> missing(List<String> messages) throws IOException {
        String code = code();
        return messages.stream()
                .flatMap(message -> Arrays.stream(message.split("…")))
                .map(String::strip)
                .filter(part -> !code.contains(part))
                .toList();
    }

    private static String code() throws IOException {
        StringBuilder code = new StringBuilder();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                code.append(files.filter(file -> file.toString().endsWith(".java"))
                        .map(MessageTest::read)
                        .collect(Collectors.joining("\n")));
            }
        }
        return code.toString();
    }

    private static String read(Path file) {
        try {
            return JOINT.matcher(Files.readString(file)).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
