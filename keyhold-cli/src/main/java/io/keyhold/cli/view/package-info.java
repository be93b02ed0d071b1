/** Output: tables, pages, JSON, and a terminal screen that is redrawn. Does not depend on the commands. */
@NullMarked
package io.keyhold.cli.view;

import org.jspecify.annotations.NullMarked;
