package io.keyhold.cli.dist;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Dynamic call sites of every form; each of them says what it did. */
@SuppressWarnings({ // Forms that are not to be written, and that a library may have.
    "ArrayRecordComponent",
    "EqualsIncompatibleType",
    "UnnecessaryLambda",
    "UnnecessaryStringBuilder"
})
public final class CallSiteSamples implements Callable<List<String>> {

    private record Point(int x, double y, @Nullable String name, byte[] bytes) {}

    private record Nothing() {}

    private interface Greeting {

        String name();

        default Supplier<String> later() {
            return () -> greet() + name(); // Calls a private method of an interface.
        }

        private String greet() {
            return "hello ";
        }
    }

    private final String own = "own";

    @Override
    public List<String> call() throws Exception {
        List<String> said = new ArrayList<>();
        concatenations(said);
        records(said);
        lambdas(said);
        methodReferences(said);
        return said;
    }

    private static void concatenations(List<String> said) {
        byte small = -3;
        short two = 2;
        char letter = 'c';
        Object none = null;
        said.add("" + small + two + letter + 4 + 5L + 1.5f + 2.5 + true + none + "\1\2" + new StringBuilder("text")
                + List.of());
        said.add(letter + "=" + none);
    }

    private static void records(List<String> said) {
        byte[] bytes = {1};
        Point point = new Point(1, Double.NaN, "n", bytes);
        Point same = new Point(1, Double.NaN, "n", bytes);
        said.add(point.toString().replaceAll("bytes=.*", ""));
        said.add(point.equals(same) + " " + (point.hashCode() == same.hashCode()));
        said.add(point.equals(new Point(1, Double.NaN, null, bytes)) + " " + point.equals("point"));
        said.add("" + new Point(1, 2, null, bytes).equals(new Point(1, 2, null, bytes.clone())));
        said.add(new Nothing() + " " + new Nothing().equals(new Nothing()) + " " + new Nothing().hashCode());
        said.add("" + new Entry("k", 7).hashCode() + new Entry("k", 7));
    }

    private record Entry(String key, long value) {}

    private void lambdas(List<String> said) throws Exception {
        int captured = 3;
        long wide = 4;
        String text = "text";
        Supplier<String> capturing = () -> text + captured + wide + own + hidden();
        Runnable ignoresResult = () -> said.add("ran");
        ignoresResult.run();
        said.add(capturing.get());
        ToLongFunction<Integer> unboxesAndWidens = number -> number;
        said.add("" + unboxesAndWidens.applyAsLong(5));
        IntFunction<Object> boxes = number -> number;
        said.add("" + boxes.apply(6));
        Callable<List<String>> throwing =
                () -> Stream.of("a", "b").map(each -> each + captured).toList();
        said.add("" + throwing.call());
        Greeting greeting = () -> "name";
        said.add(greeting.later().get());
        said.add(Nested.later(text).get());
        Supplier<Supplier<String>> nested = () -> () -> text + own;
        said.add(nested.get().get());
        Supplier<String> first = constant();
        said.add("" + (constant() == first)); // Without captured values it is one object.
    }

    private static Supplier<String> constant() {
        return () -> "constant";
    }

    private String hidden() {
        return "hidden";
    }

    private static final class Nested {

        private Nested() {}

        static Supplier<String> later(String text) {
            return () -> shout(text);
        }

        private static String shout(String text) {
            return text + "!";
        }
    }

    private void methodReferences(List<String> said) {
        Function<String, Integer> unbound = String::length;
        said.add("" + unbound.apply("four"));
        IntSupplier bound = "seven77"::length;
        said.add("" + bound.getAsInt());
        LongSupplier widens = "nine"::length;
        said.add("" + widens.getAsLong());
        BiFunction<List<String>, Object, Boolean> onInterface = List::contains;
        said.add("" + onInterface.apply(List.of("x"), "x"));
        Function<String, StringBuilder> constructor = StringBuilder::new;
        said.add("" + constructor.apply("built"));
        Function<Integer, String[]> array = String[]::new;
        said.add("" + array.apply(2).length);
        Function<Object, String> ofStatic = String::valueOf;
        said.add(ofStatic.apply(8));
        Runnable ignoresLong = System::nanoTime; // Two places of the stack, which are left there.
        ignoresLong.run();
        said.add(Stream.of(new Entry("k", 1), new Entry("l", 2))
                .collect(Collectors.toMap(Entry::key, Entry::value))
                .toString());
    }
}
