/** What older libraries promised, one test for each behaviour, for users who migrate. */
@NullMarked
package io.keyhold.tests.seeds;

import org.jspecify.annotations.NullMarked;
