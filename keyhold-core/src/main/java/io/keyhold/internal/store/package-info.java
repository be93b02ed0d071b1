/** What a place where locks live can do, and its replies. */
@NullMarked
package io.keyhold.internal.store;

import org.jspecify.annotations.NullMarked;
