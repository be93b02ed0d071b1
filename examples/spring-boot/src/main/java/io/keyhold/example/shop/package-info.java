/** A shop of two instances. */
@NullMarked
package io.keyhold.example.shop;

import org.jspecify.annotations.NullMarked;
