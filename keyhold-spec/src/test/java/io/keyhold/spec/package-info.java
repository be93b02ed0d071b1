/** Runs TLC, the model checker of TLA+, on the models in the directory {@code spec}. */
@NullMarked
package io.keyhold.spec;

import org.jspecify.annotations.NullMarked;
