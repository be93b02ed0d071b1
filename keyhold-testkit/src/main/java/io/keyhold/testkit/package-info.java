/** What the tests of a driver are made of: its contract, and proxies that break connections on purpose. */
@NullMarked
package io.keyhold.testkit;

import org.jspecify.annotations.NullMarked;
