/** What the modules of this project share without publishing it: the one reader of RESP that needs no client library. */
@NullMarked
package io.keyhold.embedded.internal;

import org.jspecify.annotations.NullMarked;
