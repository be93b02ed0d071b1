/** Puts a client together: driver, store, engine, primitives. */
@NullMarked
package io.keyhold.internal.client;

import org.jspecify.annotations.NullMarked;
