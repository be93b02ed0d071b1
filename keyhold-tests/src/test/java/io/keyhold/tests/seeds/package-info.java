/** What older libraries promised, one test for each behaviour: whoever comes from them finds it here. */
@NullMarked
package io.keyhold.tests.seeds;

import org.jspecify.annotations.NullMarked;
