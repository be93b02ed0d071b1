/**
 * The contract of locks, for whoever writes a store or a driver: a test class implements
 * {@link io.keyhold.tests.contract.lock.LockContract} and says where its locks live.
 */
@NullMarked
package io.keyhold.tests.contract.lock;

import org.jspecify.annotations.NullMarked;
