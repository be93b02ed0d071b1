package io.keyhold.tests.modules;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs on a module path that has only what a driver needs. */
final class JpmsTest {

    private static final List<String> JEDIS_NEEDS = List.of("jedis", "commons-pool2", "slf4j-api", "gson", "json");

    private static final List<String> LETTUCE_NEEDS = List.of(
            "lettuce-core",
            "reactor-core",
            "reactive-streams",
            "redis-authx-core",
            "netty-buffer",
            "netty-codec-base",
            "netty-codec-dns",
            "netty-common",
            "netty-handler",
            "netty-resolver",
            "netty-resolver-dns",
            "netty-transport",
            "netty-transport-native-unix-common");

    private static final String MAIN = """
            package app;

            import io.keyhold.Keyhold;
            import io.keyhold.Lease;

            public final class Main {
                public static void main(String[] args) throws Exception {
                    try (Keyhold keyhold = Keyhold.connect(args[0]);
                            Lease lease = keyhold.lock("invoice:42").acquire()) {
                        System.out.println("holds " + lease.key() + ": " + lease.isHeldOnServer());
                        System.out.println("fenced: " + (lease.fencingToken() > 0));
                        System.out.println("inside " + Keyhold.class.getModule());
                        System.out.println("from " + Main.class.getModule());
                    }
                }
            }
            """;

    @TempDir
    Path directory = Path.of("");

    @Test
    void runsWithJedisOnModulePath() throws IOException, InterruptedException {
        holdsALock("module app { requires io.keyhold; requires io.keyhold.jedis; }", KeyholdModule.JEDIS, JEDIS_NEEDS);
    }

    @Tag("full")
    @Test
    void runsWithLettuceOnModulePath() throws IOException, InterruptedException {
        holdsALock(
                "module app { requires io.keyhold; requires io.keyhold.lettuce; }",
                KeyholdModule.LETTUCE,
                LETTUCE_NEEDS);
    }

    private void holdsALock(String moduleInfo, KeyholdModule driver, List<String> needs)
            throws IOException, InterruptedException {
        List<Path> modules = Stream.concat(
                        Stream.of(KeyholdModule.CORE.location(), driver.location()), ClassPath.jars(needs).stream())
                .toList();
        ModularProgram program = new ModularProgram(directory, modules);
        assertThat(program.compile(moduleInfo, MAIN)).isEmpty();
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThat(program.run(withLongTimeouts(redis.uri())).lines().map(JpmsTest::withoutVersion))
                    .containsExactly(
                            "holds invoice:42: true", "fenced: true", "inside module io.keyhold", "from module app");
        }
    }

    /** A module from a directory and one from a jar print the same: only some know their version. */
    private static String withoutVersion(String line) {
        return line.replaceFirst("@.*", "");
    }

    @Test
    void internalsCannotBeUsed() throws IOException {
        ModularProgram program = new ModularProgram(directory, List.of(KeyholdModule.CORE.location()));
        assertThat(program.compile("module app { requires io.keyhold; }", """
                        package app;

                        public final class Main {
                            Object internal = io.keyhold.internal.Preconditions.key("invoice:42");
                        }
                        """))
                .hasValueSatisfying(
                        complaints -> assertThat(complaints).contains("package io.keyhold.internal is not visible"));
    }

    @Test
    void coreExportsThreePackages() {
        ModuleDescriptor core = KeyholdModule.CORE.descriptor();
        assertThat(core.name()).isEqualTo("io.keyhold");
        assertThat(core.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder("io.keyhold", "io.keyhold.inspect", "io.keyhold.spi");
        assertThat(core.exports()).noneMatch(ModuleDescriptor.Exports::isQualified);
        assertThat(core.opens()).isEmpty();
        assertThat(core.isOpen()).isFalse();
    }

    @Test
    void coreRequiresNothingAtRunTime() {
        Set<Requires> required = KeyholdModule.CORE.descriptor().requires();
        assertThat(required).extracting(Requires::name).containsExactlyInAnyOrder("java.base", "org.jspecify");
        assertThat(required.stream()
                        .filter(requires -> requires.modifiers().contains(Requires.Modifier.STATIC))
                        .map(Requires::name)
                        .collect(Collectors.toSet()))
                .containsExactly("org.jspecify");
    }
}
