/** Many processes: chaos runs, queues across JVMs, many waiters of one client. */
@NullMarked
package io.keyhold.tests.stress;

import org.jspecify.annotations.NullMarked;
