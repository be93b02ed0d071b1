/** Locks on several independent servers: what holds when some of them fail, forget or stand still. */
@NullMarked
package io.keyhold.tests.quorum;

import org.jspecify.annotations.NullMarked;
