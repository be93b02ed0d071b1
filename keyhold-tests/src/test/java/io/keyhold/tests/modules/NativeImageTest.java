package io.keyhold.tests.modules;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reachability metadata of each artifact, which tells GraalVM's native-image what is found by name at run time. */
class NativeImageTest {

    private static final Path METADATA = Path.of("META-INF", "native-image");
    private static final Path SERVICES = Path.of("META-INF", "services");

    @ParameterizedTest
    @ValueSource(strings = {"keyhold-core", "keyhold-jedis", "keyhold-lettuce"})
    void everyResourceAndServiceIsInMetadata(String artifact) throws IOException {
        Path resources = Path.of(System.getProperty("keyhold.root", ""), artifact, "src", "main", "resources");
        JsonObject metadata = JsonParser.parseString(Files.readString(resources
                        .resolve(METADATA)
                        .resolve("io.keyhold")
                        .resolve(artifact)
                        .resolve("reachability-metadata.json")))
                .getAsJsonObject();
        List<PathMatcher> globs = elements(metadata, "resources")
                .map(resource -> FileSystems.getDefault()
                        .getPathMatcher("glob:" + resource.get("glob").getAsString()))
                .toList();
        List<Path> files = files(resources);
        assertThat(files)
                .isNotEmpty()
                .allMatch(file -> globs.stream().anyMatch(glob -> glob.matches(file)), "is in the metadata");
        List<String> constructed = elements(metadata, "reflection")
                .filter(type -> type.getAsJsonArray("methods").toString().contains("\"<init>\""))
                .map(type -> type.get("type").getAsString())
                .toList();
        for (Path service :
                files.stream().filter(file -> file.startsWith(SERVICES)).toList()) {
            assertThat(constructed).containsAll(Files.readAllLines(resources.resolve(service)));
        }
    }

    private static Stream<JsonObject> elements(JsonObject metadata, String section) {
        return metadata.has(section)
                ? StreamSupport.stream(metadata.getAsJsonArray(section).spliterator(), false)
                        .map(JsonElement::getAsJsonObject)
                : Stream.of();
    }

    /** Returns the resources of an artifact without the metadata itself. */
    private static List<Path> files(Path resources) throws IOException {
        try (Stream<Path> all = Files.walk(resources)) {
            return all.filter(Files::isRegularFile)
                    .map(resources::relativize)
                    .filter(file -> !file.startsWith(METADATA))
                    .toList();
        }
    }
}
