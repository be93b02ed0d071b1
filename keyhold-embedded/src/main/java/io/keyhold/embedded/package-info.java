/**
 * Real redis-servers as child processes: one ({@link io.keyhold.embedded.EmbeddedRedis}), a master with replicas ({@link
 * io.keyhold.embedded.EmbeddedReplicas}), these under Sentinel ({@link io.keyhold.embedded.EmbeddedSentinel}), and a cluster
 * ({@link io.keyhold.embedded.EmbeddedCluster}).
 *
 * <p>Reading order, from the call to the process: {@code EmbeddedRedisBuilder} checks what was asked for, {@code
 * ServerFinder} finds the executable, {@code ServerLauncher} runs it once, {@code ServerProcess} is that run, and {@code
 * StartupProbe} waits for its first reply. A topology is a {@code ServerGroup}, which asks its servers through {@code
 * RespConnection} and waits for what they say.
 */
@NullMarked
package io.keyhold.embedded;

import org.jspecify.annotations.NullMarked;
