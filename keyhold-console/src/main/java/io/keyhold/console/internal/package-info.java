/** What the console shares with the command. Not exported. */
@NullMarked
package io.keyhold.console.internal;

import org.jspecify.annotations.NullMarked;
