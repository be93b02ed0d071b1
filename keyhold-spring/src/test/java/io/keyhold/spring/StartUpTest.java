package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A context whose annotations cannot work does not start, and says why. */
final class StartUpTest {

    static List<Arguments> mistakes() {
        return List.of(
                Arguments.of(ParseError.class, "'order:#{#id.}' has an expression that cannot be parsed"),
                Arguments.of(UnknownParameter.class, "uses #ID, but there are only [id, p0, a0, root, this]"),
                Arguments.of(UnknownFunction.class, "there are no functions"),
                Arguments.of(UnknownPlaceholder.class, "'${no.such}' has a placeholder that cannot be resolved"),
                Arguments.of(NoKey.class, "needs a key"),
                Arguments.of(BlankKey.class, "key must not be blank, was ' '"),
                Arguments.of(BadDuration.class, "maxWait must be a duration such as 500ms, 10s or PT10S, was 'soon'"),
                Arguments.of(ShortLease.class, "lease must be"),
                Arguments.of(NegativeRest.class, "atLeast must be from 0 to 31 days, was PT-1S"),
                Arguments.of(
                        PrimitiveSkip.class,
                        "onBusy = SKIP returns null, but the method returns int; return Integer or an Optional"),
                Arguments.of(NoFallback.class, "onBusy = FALLBACK needs a fallback method"),
                Arguments.of(
                        OtherFallback.class,
                        "with the same parameters [long] and a result of java.lang.String, was 'other'"),
                Arguments.of(FallbackAlone.class, "fallback 'other' needs onBusy = FALLBACK, was THROW"),
                Arguments.of(FinalMethod.class, "FinalMethod.work: a final method cannot be intercepted"),
                Arguments.of(PrivateMethod.class, "a static or private method cannot be intercepted"),
                Arguments.of(NotInInterface.class, "a method that is not in an interface of its JDK proxy"),
                Arguments.of(PlainFuture.class, "before the work of a java.util.concurrent.Future ends"),
                Arguments.of(PlainPublisher.class, "before the work of a java.util.concurrent.Flow$Publisher ends"),
                Arguments.of(
                        InterruptedStage.class,
                        "onLoss = INTERRUPT needs a method that does its work on the calling thread"),
                Arguments.of(TwoSharedKeys.class, "mode SHARED takes one key, had [a, b]"),
                Arguments.of(NoClient.class, "there is no bean 'elsewhere' to be the client"),
                Arguments.of(Both.class, "a method cannot have @Limited too"),
                Arguments.of(BadPermits.class, "permits must be a number, was 'four'"),
                Arguments.of(NoPermits.class, "permits must be"),
                Arguments.of(TooMany.class, "take must be from 1 to the number of permits, 2, was 3"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void contextDoesNotStart(Class<?> bean, String message) {
        assertThatThrownBy(() -> Application.start(bean).close())
                .hasStackTraceContaining(message)
                .hasStackTraceContaining(bean.getSimpleName() + ".work");
    }

    static class ParseError {
        @Locked("order:#{#id.}")
        void work(long id) {}
    }

    static class UnknownParameter {
        @Locked("order:#{#ID}")
        void work(long id) {}
    }

    static class UnknownFunction {
        @Locked("order:#{#hash(#id)}")
        void work(long id) {}
    }

    static class UnknownPlaceholder {
        @Locked("${no.such}")
        void work() {}
    }

    static class NoKey {
        @Locked
        void work() {}
    }

    static class BlankKey {
        @Locked(" ")
        void work() {}
    }

    static class BadDuration {
        @Locked(key = "a", maxWait = "soon")
        void work() {}
    }

    static class ShortLease {
        @Locked(key = "a", lease = "1ms")
        void work() {}
    }

    static class NegativeRest {
        @Locked(key = "a", atLeast = "-1s")
        void work() {}
    }

    static class PrimitiveSkip {
        @Locked(key = "a", onBusy = OnBusy.SKIP)
        int work() {
            return 1;
        }
    }

    static class NoFallback {
        @Locked(key = "a", onBusy = OnBusy.FALLBACK)
        void work() {}
    }

    static class OtherFallback {
        @Locked(key = "a", onBusy = OnBusy.FALLBACK, fallback = "other")
        String work(long id) {
            return "";
        }

        long other(long id) {
            return id;
        }
    }

    static class FallbackAlone {
        @Locked(key = "a", fallback = "other")
        void work() {}
    }

    static class FinalMethod {
        @Locked("a")
        final void work() {}
    }

    static class PrivateMethod implements Supplier<String> {
        @Override
        public String get() {
            work();
            return "";
        }

        @Locked("a")
        private void work() {}
    }

    static final class NotInInterface implements Supplier<String> {
        @Override
        public String get() {
            return "";
        }

        @Locked("a")
        public void work() {}
    }

    static class PlainFuture {
        @Locked("a")
        Future<String> work() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class PlainPublisher {
        @Locked("a")
        Flow.Publisher<String> work() {
            return subscriber -> {};
        }
    }

    static class InterruptedStage {
        @Locked(key = "a", onLoss = OnLoss.INTERRUPT)
        CompletableFuture<String> work() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class TwoSharedKeys {
        @Locked(
                key = {"a", "b"},
                mode = Locked.Mode.SHARED)
        void work() {}
    }

    static class NoClient {
        @Locked(key = "a", client = "elsewhere")
        void work() {}
    }

    static class Both {
        @Locked("a")
        @Limited(key = "b", permits = "2")
        void work() {}
    }

    static class BadPermits {
        @Limited(key = "a", permits = "four")
        void work() {}
    }

    static class NoPermits {
        @Limited(key = "a", permits = "0")
        void work() {}
    }

    static class TooMany {
        @Limited(key = "a", permits = "2", take = 3)
        void work() {}
    }
}
