package io.keyhold.cli;

/** The exit codes of the command. Those above 200 concern locks; few other programs use them. docs/cli.md has the table for users. */
final class ExitCode {

    /** Success. */
    static final int OK = 0;

    /** The result is negative: no server runs, the lock is free, the doctor has a warning. */
    static final int NO = 1;

    /** Locks fail on this server or can be held twice, as the doctor found. */
    static final int DANGER = 2;

    /** Wrong use (EX_USAGE of sysexits). */
    static final int USAGE = 64;

    /** A bug in this program (EX_SOFTWARE of sysexits). */
    static final int INTERNAL = 70;

    /** The system lacks what the command needs, such as memory, or a pipe (EX_OSERR of sysexits). */
    static final int SYSTEM = 71;

    /** The result could not be written (EX_IOERR of sysexits). */
    static final int OUTPUT_FAILED = 74;

    /** Another process holds the lock, and {@code --no-wait} was given. */
    static final int BUSY = 201;

    /** Another process held the lock for all the time of {@code --wait}. */
    static final int TIMED_OUT = 202;

    /** The lock was lost while the command ran, or the token does not hold it any more. */
    static final int LOST = 203;

    /** The server cannot be reached, refuses, or did not reply in time. */
    static final int UNREACHABLE = 204;

    private ExitCode() {}
}
