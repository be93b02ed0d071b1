package io.keyhold.console;

/** A request that cannot be served, with the status of its response. */
final class ConsoleFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;

    ConsoleFailure(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
