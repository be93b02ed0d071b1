/** How things look: tables, pages, JSON, and the screen that is drawn again and again. Knows nothing of the commands. */
@NullMarked
package io.keyhold.cli.view;

import org.jspecify.annotations.NullMarked;
