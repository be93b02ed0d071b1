package io.keyhold.tests.modules;

import io.keyhold.Keyhold;
import io.keyhold.console.ConsoleApi;
import io.keyhold.doctor.Doctor;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.junit.KeyholdTest;
import io.keyhold.kotlin.LeaseElement;
import io.keyhold.lettuce.LettuceDriver;
import io.keyhold.micrometer.KeyholdMetrics;
import io.keyhold.reactor.ReactiveLock;
import io.keyhold.shedlock.KeyholdLockProvider;
import io.keyhold.spring.Locked;
import io.keyhold.spring.boot.KeyholdAutoConfiguration;
import io.keyhold.spring.integration.KeyholdLockRegistry;
import io.keyhold.testkit.RedisDriverContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A published module, as this test run sees it: its jar, or its directory of classes when nothing has been packaged. */
public enum KeyholdModule {
    /** The API, the engine and the stores. */
    CORE("keyhold-core", Keyhold.class),
    /** The driver for Jedis. */
    JEDIS("keyhold-jedis", JedisDriver.class),
    /** The driver for Lettuce. */
    LETTUCE("keyhold-lettuce", LettuceDriver.class),
    /** The real server for tests. */
    EMBEDDED("keyhold-embedded", EmbeddedRedis.class),
    /** The contracts. */
    TESTKIT("keyhold-testkit", RedisDriverContract.class),
    /** Meters and observations. */
    MICROMETER("keyhold-micrometer", KeyholdMetrics.class),
    /** The extension for tests. */
    JUNIT("keyhold-junit", KeyholdTest.class),
    /** The lock provider for ShedLock. */
    SHEDLOCK("keyhold-shedlock", KeyholdLockProvider.class),
    /** Sequences of Reactor under a lock. */
    REACTOR("keyhold-reactor", ReactiveLock.class),
    /** Methods under a lock in Spring. */
    SPRING("keyhold-spring", Locked.class),
    /** Locks and leaders of Spring Integration. */
    SPRING_INTEGRATION("keyhold-spring-integration", KeyholdLockRegistry.class),
    /** The auto-configuration for Spring Boot. */
    SPRING_BOOT("keyhold-spring-boot", KeyholdAutoConfiguration.class),
    /** Coroutines under a lock. */
    KOTLIN("keyhold-kotlin", LeaseElement.class),
    /** Checks of servers. */
    DOCTOR("keyhold-doctor", Doctor.class),
    /** The web page for operators. */
    CONSOLE("keyhold-console", ConsoleApi.class);

    private final String artifact;
    private final Class<?> resident;

    KeyholdModule(String artifact, Class<?> resident) {
        this.artifact = artifact;
        this.resident = resident;
    }

    /** The name of its directory and of its jar. */
    public String artifact() {
        return artifact;
    }

    /** Its jar or its directory of classes. */
    public Path location() {
        return locationOf(resident);
    }

    /** The jar or the directory that this class was loaded from. */
    public static Path locationOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("where is " + type + "?", e);
        }
    }

    /** The module there. */
    private ModuleReference reference() {
        Set<ModuleReference> found = ModuleFinder.of(location()).findAll();
        if (found.size() != 1) {
            throw new IllegalStateException(location() + " should be one module, and is " + found);
        }
        return found.iterator().next();
    }

    /** The names of its classes. */
    public Set<String> classNames() {
        try (ModuleReader reader = reference().open();
                Stream<String> files = reader.list()) {
            return files.filter(file -> file.endsWith(".class") && !file.equals("module-info.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + location(), e);
        }
    }

    /** What its module-info says. */
    public ModuleDescriptor descriptor() {
        return reference().descriptor();
    }

    /** Returns the packages that it exports to all modules, sorted. */
    public Set<String> exportedPackages() {
        return descriptor().exports().stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The repository. */
    public static Path root() {
        return Path.of(Objects.requireNonNull(
                System.getProperty("keyhold.root"), "the system property keyhold.root, which the build sets"));
    }

    @Override
    public String toString() {
        return artifact;
    }
}
