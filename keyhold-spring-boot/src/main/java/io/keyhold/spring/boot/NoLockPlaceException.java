package io.keyhold.spring.boot;

/** Thrown when nothing says where the locks live, or what says so cannot be used. */
final class NoLockPlaceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String cure;

    NoLockPlaceException(String message, String cure) {
        super(message);
        this.cure = cure;
    }

    String cure() {
        return cure;
    }
}
