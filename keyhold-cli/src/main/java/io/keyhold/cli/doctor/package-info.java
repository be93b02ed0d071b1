/**
 * What endangers locks on a server, and what to do about it: one class for each {@link io.keyhold.cli.doctor.Check}, and
 * {@link io.keyhold.cli.doctor.Checkup} has the list of them. Knows nothing of the commands.
 */
@NullMarked
package io.keyhold.cli.doctor;

import org.jspecify.annotations.NullMarked;
