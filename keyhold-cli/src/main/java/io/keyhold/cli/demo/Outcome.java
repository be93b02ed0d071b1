package io.keyhold.cli.demo;

/** The result of a demo. */
public enum Outcome {
    /** Every claim was proved. */
    PROVED,
    /** The user stopped it early; no claim was contradicted. */
    ENDED_EARLY,
    /** A claim was contradicted, or not proved by the end. */
    NOT_PROVED
}
