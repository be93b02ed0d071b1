package io.keyhold.cli;

/**
 * What the command answers to the shell. Those above 200 are Keyhold's own words about a lock; a command that runs under
 * one seldom uses them. docs/cli.md has the same table for users.
 */
final class ExitCode {

    /** Done. */
    static final int OK = 0;

    /** A question was answered with no: nothing runs, nothing is held, something is amiss. */
    static final int NO = 1;

    /** The doctor says that locks fail on this server, or can be held twice; or the demonstration saw that they were. */
    static final int DANGER = 2;

    /** The command line is wrong (EX_USAGE of sysexits). */
    static final int USAGE = 64;

    /** A bug of this program (EX_SOFTWARE of sysexits). */
    static final int INTERNAL = 70;

    /** The result could not be written (EX_IOERR of sysexits). */
    static final int UNWRITTEN = 74;

    /** As a shell says it: the command to run is there, but cannot be run. */
    static final int NOT_EXECUTABLE = 126;

    /** As a shell says it: there is no such command to run. */
    static final int NOT_FOUND = 127;

    /** As a shell says it: ended by the signal whose number is added to this. */
    static final int SIGNAL_BASE = 128;

    /** Somebody else holds the lock, and waiting was not wanted. */
    static final int BUSY = 201;

    /** Somebody else held the lock for all the time that waiting was wanted. */
    static final int TIMED_OUT = 202;

    /** The lock was lost while it was held, or the token does not hold it any more. */
    static final int LOST = 203;

    /** The server cannot be reached, or refuses, or its answer did not come in time. */
    static final int UNREACHABLE = 204;

    private ExitCode() {}
}
