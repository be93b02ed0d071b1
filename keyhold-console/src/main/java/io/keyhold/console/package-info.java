/** The console: what a page needs to show every lock, and a small server for it. */
@NullMarked
package io.keyhold.console;

import org.jspecify.annotations.NullMarked;
