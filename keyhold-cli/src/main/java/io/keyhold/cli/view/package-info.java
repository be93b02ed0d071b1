/** What is shown: tables, pages, JSON. Does not depend on the commands. */
@NullMarked
package io.keyhold.cli.view;

import org.jspecify.annotations.NullMarked;
