/**
 * Checks of servers for what endangers locks. {@link io.keyhold.doctor.Doctor} runs them; there is one class for each check, and
 * {@code Checks} has the list of them.
 */
@NullMarked
package io.keyhold.doctor;

import org.jspecify.annotations.NullMarked;
