/**
 * The contract of locks, for whoever writes a store or a driver: a test class implements
 * {@link io.keyhold.testkit.lock.LockContract} and says where its locks live.
 */
@NullMarked
package io.keyhold.testkit.lock;

import org.jspecify.annotations.NullMarked;
