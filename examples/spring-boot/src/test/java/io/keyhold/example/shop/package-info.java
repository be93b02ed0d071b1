/** The example runs. */
@NullMarked
package io.keyhold.example.shop;

import org.jspecify.annotations.NullMarked;
