package io.keyhold.doctor;

/**
 * The result of a check.
 *
 * @param check the check's name
 * @param level the severity
 * @param seen what the check observed
 * @param meaning what that means for locks; empty if OK
 * @param cure what to do about it; empty if OK
 */
public record Finding(String check, Level level, String seen, String meaning, String cure) {}
