/** Tests of the command: its parts, and (those marked EndToEnd) the launcher in processes of its own. */
@NullMarked
package io.keyhold.cli;

import org.jspecify.annotations.NullMarked;
