package io.keyhold.internal.store.redis;

import io.keyhold.StoreUnavailableException;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.util.Set;

/** Turns a driver's failure into what a user reads: the server's address, its own words, and a cure if one is known. */
final class Failures {

    /** What a server says of an error that was raised inside a script, in every version. */
    private static final String RAISED_INSIDE = "user_script";

    private static final String FORBIDDEN_INSIDE = "The user executing the script can't run this command";

    /** Errors by which a server refuses the first write of a script, and so every write. */
    private static final Set<String> REFUSED_AS_A_WHOLE =
            Set.of("READONLY", "MASTERDOWN", "LOADING", "OOM", "NOREPLICAS", "MISCONF", "CLUSTERDOWN", "TRYAGAIN");

    private final String address;

    Failures(String address) {
        this.address = address;
    }

    /** Returns the exception for the user; {@code task} is what could not be done, such as {@code "acquire lock 'a'"}. */
    StoreUnavailableException of(String task, Throwable failure) {
        Throwable cause = Stages.unwrapped(failure);
        if (cause instanceof StoreUnavailableException already) {
            return already;
        }
        if (cause instanceof RedisErrorException refusal) {
            return new StoreUnavailableException(
                    "cannot " + task + ": Redis at " + address + " says: " + refusal.getMessage()
                            + cure(meaning(refusal)),
                    mayBeHalfDone(refusal),
                    cause);
        }
        if (cause instanceof RedisConnectionException broken) {
            boolean unknown = broken.failure() != RedisConnectionException.Failure.NOT_CONNECTED;
            return new StoreUnavailableException(
                    "cannot " + task + ": Redis at " + address + (unknown ? " gave no reply: " : " is not reachable: ")
                            + broken.getMessage(),
                    unknown,
                    cause);
        }
        return new StoreUnavailableException("cannot " + task + " on Redis at " + address + ": " + cause, true, cause);
    }

    /**
     * Whether a script may have written something before it failed. Scripts return errors that they meet before their first
     * write; one that was raised may have come after it, and then what was written has to be released.
     */
    private static boolean mayBeHalfDone(RedisErrorException refusal) {
        return String.valueOf(refusal.getMessage()).contains(RAISED_INSIDE)
                && !REFUSED_AS_A_WHOLE.contains(refusal.code());
    }

    /** A server that wants a password does not even read a command of more than ten words before it has got it. */
    private static String meaning(RedisErrorException refusal) {
        String words = String.valueOf(refusal.getMessage());
        if (words.contains("Protocol error: unauthenticated")) {
            return "NOAUTH";
        }
        return words.contains(FORBIDDEN_INSIDE) ? "NOPERM" : refusal.code();
    }

    private static String cure(String code) {
        return switch (code) {
            case "NOAUTH" -> " (NOAUTH: put the password into the URI: redis://:password@host:port)";
            case "WRONGPASS" -> " (user or password in the URI is wrong, or the user is switched off)";
            case "NOPERM" ->
                " (the ACL user needs the commands, key patterns and channels in docs/keys.md; ACL LOG on the server"
                        + " names what was refused; where EVAL must stay forbidden, use CommandStyle.TRANSACTIONS)";
            case "OOM" -> " (the server has reached its maxmemory and may not drop anything)";
            case "READONLY" -> " (this is a replica; connect to its master)";
            case "WRONGTYPE" -> " (there is other data under this key)";
            case "BUSY" -> " (a script of another client runs for too long)";
            default -> "";
        };
    }
}
