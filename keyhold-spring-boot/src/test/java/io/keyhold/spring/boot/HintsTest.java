package io.keyhold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spring.Locked;
import io.keyhold.spring.OnBusy;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.test.context.support.TestPropertySourceUtils;

/** An application is processed ahead of time, and a native image then knows what is called by reflection. */
final class HintsTest {

    private static RuntimeHints processAheadOfTime() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertySourceUtils.addInlinedPropertiesToEnvironment(
                    context, "keyhold.in-memory=true", "management.endpoints.web.exposure.include=locks");
            context.register(Application.class);
            TestGenerationContext generation = new TestGenerationContext();
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            assertThat(generation.getGeneratedFiles().getGeneratedFiles(Kind.SOURCE))
                    .isNotEmpty();
            return generation.getRuntimeHints();
        }
    }

    @Test
    void lockedMethodsAndFallbacksAreReachable() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Prices.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Prices.class.getDeclaredMethod("price", int.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Prices.class.getDeclaredMethod("cached", int.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Prices.class.getDeclaredMethod("free")))
                .as("not under a lock")
                .rejects(hints);
    }

    @Test
    void propertiesAndResultsOfTheEndpointAreReachable() {
        RuntimeHints hints = processAheadOfTime();
        assertThat(RuntimeHintsPredicates.reflection().onType(KeyholdProperties.LockProperties.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(LocksEndpoint.Holder.class))
                .accepts(hints);
    }

    /** Methods, one of them under a lock. */
    static class Prices {

        @Locked(key = "price:#{#item}", onBusy = OnBusy.FALLBACK, fallback = "cached")
        String price(int item) {
            return "fresh " + item;
        }

        String cached(int item) {
            return "cached " + item;
        }

        String free() {
            return "free";
        }
    }

    /** The beans. */
    @Configuration(proxyBeanMethods = false)
    @Import(Prices.class)
    @ImportAutoConfiguration({KeyholdAutoConfiguration.class, LocksEndpointAutoConfiguration.class})
    static class Application {}
}
