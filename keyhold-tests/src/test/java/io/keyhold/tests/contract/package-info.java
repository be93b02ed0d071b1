/** The contracts of locks and semaphores, and the test classes that hold every store and every driver to them. */
@NullMarked
package io.keyhold.tests.contract;

import org.jspecify.annotations.NullMarked;
