/** Keyhold in Project Reactor: {@link io.keyhold.reactor.ReactiveLock}. */
@NullMarked
package io.keyhold.reactor;

import org.jspecify.annotations.NullMarked;
