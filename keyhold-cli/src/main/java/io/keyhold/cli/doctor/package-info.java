/**
 * Checks of a server for what endangers locks: one class for each {@link io.keyhold.cli.doctor.Check};
 * {@link io.keyhold.cli.doctor.Checks} has the list of them. Does not depend on the commands.
 */
@NullMarked
package io.keyhold.cli.doctor;

import org.jspecify.annotations.NullMarked;
