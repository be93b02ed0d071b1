package io.keyhold.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * The machine and the versions that were measured, in the order of the report.
 *
 * @param facts names and values
 */
public record Environment(Map<String, String> facts) {

    /** Returns this machine, and the versions that this was built with. */
    public static Environment current(String server, String workerJvmOptions, StolenTime stolen) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "Date",
                DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'").format(ZonedDateTime.now(ZoneOffset.UTC)));
        facts.put("Processor", processor());
        facts.put("Cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("Stolen time", stolen.share());
        facts.put("System", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("JDK", System.getProperty("java.vendor") + " " + System.getProperty("java.version"));
        facts.put("Worker JVMs", workerJvmOptions);
        facts.put("Server", server);
        Properties versions = versions();
        versions.stringPropertyNames().stream()
                .sorted()
                .forEach(name -> facts.put(name.replace('_', ' '), versions.getProperty(name)));
        return new Environment(facts);
    }

    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream file = Objects.requireNonNull(Environment.class.getResourceAsStream("versions.properties"))) {
            versions.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return versions;
    }

    /** Returns the model on Linux, and the architecture elsewhere. */
    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }
}
