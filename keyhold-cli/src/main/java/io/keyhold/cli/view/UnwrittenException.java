package io.keyhold.cli.view;

import java.io.IOException;

/** A result could not be written: the disk is full, or there is no standard output. */
public final class UnwrittenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnwrittenException(IOException cause) {
        super("the result could not be written: " + cause.getMessage(), cause);
    }
}
