/**
 * The contract of locks, for authors of stores and drivers: a test class implements
 * {@link io.keyhold.tests.contract.lock.LockContract} and provides the store.
 */
@NullMarked
package io.keyhold.tests.contract.lock;

import org.jspecify.annotations.NullMarked;
