/** The events of requests and leases, and their way to the listeners, which delay nothing. */
@NullMarked
package io.keyhold.internal.engine.event;

import org.jspecify.annotations.NullMarked;
