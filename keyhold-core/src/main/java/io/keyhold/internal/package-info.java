/** Words that all internal packages share: keys, tokens, rules for arguments, texts. Nothing below here is exported. */
@NullMarked
package io.keyhold.internal;

import org.jspecify.annotations.NullMarked;
