package io.keyhold.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Prints samples: whatever is printed here is what a change of the API can be seen by. */
public final class ApiPrinterTest {

    @Test
    void interfaceWithGenericsNullnessAndExceptions() {
        assertThat(print(Shape.class))
                .containsExactly(
                        "Shape: interface<T extends Number & Comparable<T>> extends"
                                + " java.util.function.Supplier<@Nullable T>",
                        "Shape: <E extends Exception> T area(E) throws java.io.IOException, E",
                        "Shape: static java.util.Optional<? extends Number> first(String...)",
                        "Shape: default @Nullable T get()",
                        "Shape: default java.util.Map<String, @Nullable Object> notes(java.util.List<? super T>, Class<?>)");
    }

    @Test
    void functionalInterface() {
        assertThat(print(Task.class))
                .containsExactly("Task: @FunctionalInterface interface", "Task: void run() throws Exception");
    }

    @Test
    void enumeration() {
        assertThat(print(Mood.class))
                .containsExactly(
                        "Mood: enum",
                        "Mood: @Deprecated constant BAD",
                        "Mood: constant GOOD",
                        "Mood: abstract boolean isGood()");
    }

    @Test
    void recordWithAConstructorOfItsOwn() {
        assertThat(print(Point.class))
                .containsExactly(
                        "Point: record (int x, @Nullable String name) extends java.io.Serializable",
                        "Point: Point(int)",
                        "Point: String[] @Nullable [] rows()");
    }

    @Test
    void sealedClassWithProtectedMembers() {
        assertThat(print(Base.class, Leaf.class))
                .containsExactly(
                        "Base: abstract sealed class permits ApiPrinterTest.Leaf",
                        "Base: protected Base()",
                        "Base: protected static final int LIMIT",
                        "Base: protected abstract void grow()",
                        "Base: final String name()",
                        "Leaf: final class extends ApiPrinterTest.Base, AutoCloseable",
                        "Leaf: Leaf()",
                        "Leaf: void close()",
                        "Leaf: protected void grow()",
                        "Leaf: @Deprecated void grown()");
    }

    @Test
    void whatUsersDoNotSeeIsLeftOut() {
        assertThat(print(Hidden.class, HiddenParent.class)).isEmpty();
    }

    private static List<String> print(Class<?>... types) {
        String prefix = ApiPrinterTest.class.getCanonicalName() + ".";
        return ApiPrinter.print(List.of(types)).stream()
                .map(line -> line.startsWith(prefix) ? line.substring(prefix.length()) : line)
                .map(line -> line.replace(ApiPrinterTest.class.getPackageName() + ".", ""))
                .toList();
    }

    /** A sample. */
    public interface Shape<T extends Number & Comparable<T>> extends Supplier<@Nullable T> {

        /** A sample. */
        static Optional<? extends Number> first(String... names) {
            return Optional.of(names.length);
        }

        /** A sample. */
        <E extends Exception> T area(E failure) throws IOException, E;

        /** A sample. */
        default Map<String, @Nullable Object> notes(List<? super T> list, Class<?> type) {
            return Map.of();
        }

        @Override
        default @Nullable T get() {
            return null;
        }
    }

    /** A sample. */
    @FunctionalInterface
    public interface Task {
        /** A sample. */
        void run() throws Exception;
    }

    /** A sample. */
    public enum Mood {
        /** A sample. */
        GOOD {
            @Override
            public boolean isGood() {
                return true;
            }
        },
        /** A sample. */
        @Deprecated
        BAD {
            @Override
            public boolean isGood() {
                return false;
            }
        };

        /** A sample. */
        public abstract boolean isGood();
    }

    /** A sample. */
    public record Point(int x, @Nullable String name) implements java.io.Serializable {

        /** A sample. */
        public Point(int x) {
            this(x, null);
        }

        /** A sample. */
        public String[] @Nullable [] rows() {
            return new String[0][];
        }
    }

    /** A sample. */
    public abstract static sealed class Base permits Leaf {
        /** A sample. */
        protected static final int LIMIT = 1;

        /** A sample. */
        protected Base() {}

        /** A sample. */
        public final String name() {
            return "";
        }

        /** A sample. */
        protected abstract void grow();

        void hidden() {}
    }

    interface HiddenParent extends AutoCloseable {
        static void notInherited() {}

        @Override
        default void close() {}

        default void grown() {}
    }

    /** A sample. */
    public static final class Leaf extends Base implements HiddenParent {
        /** A sample. */
        public Leaf() {}

        @Override
        protected void grow() {}

        @Override
        @Deprecated
        public void grown() {}

        /** Tests are run, and not called. */
        @BeforeEach
        public void prepare() {}

        @Override
        public String toString() {
            return "";
        }
    }

    static final class Hidden {
        public void shown() {}
    }
}
