/**
 * A real redis-server as a child process: {@link io.keyhold.embedded.EmbeddedRedis}.
 *
 * <p>Reading order, from the call to the process: {@code EmbeddedRedisBuilder} checks what was asked for, {@code
 * ServerFinder} finds the executable, {@code ServerLauncher} runs it once, {@code ServerProcess} is that run, and {@code
 * StartupProbe} waits for its first answer.
 */
@NullMarked
package io.keyhold.embedded;

import org.jspecify.annotations.NullMarked;
