/** Locks on several independent servers: what holds when some of them fail, lose their data or are stopped. */
@NullMarked
package io.keyhold.tests.quorum;

import org.jspecify.annotations.NullMarked;
