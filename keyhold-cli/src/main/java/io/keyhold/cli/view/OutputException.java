package io.keyhold.cli.view;

import java.io.IOException;

/** Thrown when a result could not be written: the disk is full, or standard output is closed. */
public final class OutputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OutputException(IOException cause) {
        super("cannot write the result: " + cause.getMessage(), cause);
    }
}
