/** Many processes at once: chaos runs, queues across JVMs, crowds on one client. */
@NullMarked
package io.keyhold.tests.stress;

import org.jspecify.annotations.NullMarked;
