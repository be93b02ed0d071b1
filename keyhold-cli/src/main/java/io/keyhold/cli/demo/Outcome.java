package io.keyhold.cli.demo;

/** How a demonstration ended. */
public enum Outcome {
    /** All of it was seen to be as it should be. */
    PROVED,
    /** The audience left before everything was seen; nothing was otherwise so far. */
    ENDED_EARLY,
    /** Something was not as it should be, or was not seen to the end. */
    NOT_PROVED
}
