package io.keyhold.cli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** Code without dynamic call sites does what it did with them. */
final class PlainCallSitesTest {

    @Test
    void samplesDoTheSame() throws Exception {
        assertThat(samples(Definer.of(PlainCallSites.in(files()), files())).call())
                .isEqualTo(new CallSiteSamples().call());
    }

    @Test
    void nothingIsLeftToLink() throws IOException {
        Map<String, byte[]> files = files();
        assertThat(files.values().stream().flatMap(PlainCallSitesTest::dynamicCallSites))
                .hasSizeGreaterThan(40);
        files.putAll(PlainCallSites.in(files));
        assertThat(files.values().stream().flatMap(PlainCallSitesTest::dynamicCallSites))
                .isEmpty();
    }

    private static Stream<String> dynamicCallSites(byte[] file) {
        ClassNode type = new ClassNode();
        new ClassReader(file).accept(type, 0);
        return type.methods.stream()
                .flatMap(method -> Stream.of(method.instructions.toArray()))
                .filter(InvokeDynamicInsnNode.class::isInstance)
                .map(site -> type.name + " " + ((InvokeDynamicInsnNode) site).bsm);
    }

    private static Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (Class<?> nested : CallSiteSamples.class.getDeclaredClasses()) {
            put(files, nested);
        }
        put(files, CallSiteSamples.class);
        return files;
    }

    private static void put(Map<String, byte[]> files, Class<?> type) throws IOException {
        String path = type.getName().replace('.', '/') + ".class";
        try (InputStream file = Objects.requireNonNull(type.getClassLoader()).getResourceAsStream(path)) {
            files.put(path, Objects.requireNonNull(file).readAllBytes());
        }
    }

    @SuppressWarnings("unchecked")
    private static Callable<List<String>> samples(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> type = loader.loadClass(CallSiteSamples.class.getName());
        assertThat(type).isNotEqualTo(CallSiteSamples.class);
        return (Callable<List<String>>) type.getConstructor().newInstance();
    }

    /** Loads these classes itself, and verifies them. */
    private static final class Definer extends ClassLoader {

        private final Map<String, byte[]> files;

        private Definer(Map<String, byte[]> files) {
            super(PlainCallSitesTest.class.getClassLoader());
            this.files = files;
        }

        static Definer of(Map<String, byte[]> rewritten, Map<String, byte[]> others) {
            Map<String, byte[]> files = new HashMap<>(others);
            files.putAll(rewritten);
            return new Definer(files);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                byte[] file = files.get(name.replace('.', '/') + ".class");
                Class<?> known = findLoadedClass(name);
                if (file == null || known != null) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                return defineClass(name, file, 0, file.length);
            }
        }
    }
}
