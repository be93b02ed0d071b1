package io.keyhold.spring.boot;

import io.keyhold.KeyholdBuilder;

/** Where the locks live if no property says so: the application's connection factory. */
interface LockPlace extends AutoCloseable {

    /** Sets the place. Is called once. */
    void set(KeyholdBuilder builder);

    /** Closes what {@link #set} opened. The client is closed by then. */
    @Override
    default void close() {}
}
