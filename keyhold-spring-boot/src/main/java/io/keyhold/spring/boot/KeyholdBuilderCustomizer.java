package io.keyhold.spring.boot;

import io.keyhold.KeyholdBuilder;

/** Changes the auto-configured client before it is built, after properties and listeners: define beans of this type. */
@FunctionalInterface
public interface KeyholdBuilderCustomizer {

    /**
     * Changes the builder.
     *
     * @param builder with everything that is configured
     */
    void customize(KeyholdBuilder builder);
}
