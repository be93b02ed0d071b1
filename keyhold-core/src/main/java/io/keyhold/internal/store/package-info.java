/** What a place where locks live can do, and what it answers. */
@NullMarked
package io.keyhold.internal.store;

import org.jspecify.annotations.NullMarked;
