package io.keyhold.internal.store.redis;

import io.keyhold.KeyholdException;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.UnacknowledgedException;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.util.List;

/** Turns a driver's failure into what a user reads: the server's address, its own words, and a cure if one is known. */
public final class RedisFailures {

    /** How servers report a command or key inside a script that the user may not use: up to Redis 7.0, and later ones. */
    private static final List<String> FORBIDDEN_INSIDE =
            List.of("The user executing the script can't", "ACL failure in script");

    private final String address;

    /** For the server or servers at this address. */
    public RedisFailures(String address) {
        this.address = address;
    }

    /** Returns the exception for the user; {@code task} is what could not be done, such as {@code "acquire lock 'a'"}. */
    public KeyholdException of(String task, Throwable failure) {
        Throwable cause = Stages.unwrapped(failure);
        if (cause instanceof KeyholdException already) {
            return already;
        }
        if (cause instanceof RedisErrorException refusal) {
            String code = code(refusal);
            return new StoreRefusedException(
                    "cannot " + task + ": Redis at " + address + " says: " + refusal.getMessage() + cure(code),
                    code,
                    cause);
        }
        if (cause instanceof UnacknowledgedException open) {
            return new StoreRefusedException("cannot " + task + ": " + open.getMessage(), open.code(), open);
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

    /** Returns the exception for a server of this version, which does not have a command that Keyhold needs. */
    KeyholdException tooOld(String task, String version, Throwable cause) {
        return new StoreRefusedException(
                "cannot " + task + ": Redis at " + address + " is version " + version
                        + "; Keyhold needs Redis 6.2 or later, or Valkey",
                "ERR",
                cause);
    }

    /** A server that requires a password does not even read a command of more than ten words before authentication. */
    private static String code(RedisErrorException refusal) {
        String words = String.valueOf(refusal.getMessage());
        if (words.contains("Protocol error: unauthenticated")) {
            return "NOAUTH";
        }
        return FORBIDDEN_INSIDE.stream().anyMatch(words::contains) ? "NOPERM" : refusal.code();
    }

    private static String cure(String code) {
        return switch (code) {
            case "NOAUTH" -> " (NOAUTH: put the password into the URI: redis://:password@host:port)";
            case "WRONGPASS" -> " (the user or password in the URI is wrong, or the user is disabled)";
            case "NOPERM" ->
                " (the ACL user needs the commands, key patterns and channels in docs/keys.md; ACL LOG on the server"
                        + " names what was refused; where EVAL must stay forbidden, use CommandStyle.TRANSACTIONS)";
            case "OOM" ->
                " (the server has reached its maxmemory and may not evict anything; raise it, or free memory)";
            case "MISCONF" -> " (the server cannot write its data to disk and refuses writes; see its log)";
            case "READONLY" -> " (this is a replica; connect to its master)";
            case "LOADING" -> " (the server is starting; try again later)";
            case "MASTERDOWN" -> " (this is a replica without its master; connect to a master)";
            case "MOVED" ->
                " (this server is a node of a Redis Cluster, and the key is on another one; connect to the cluster:"
                        + " redis-cluster://host:port with one or more of its nodes)";
            case "ASK", "TRYAGAIN" -> " (the cluster is moving the slot of this key; try again later)";
            case "CLUSTERDOWN" ->
                " (the cluster does not serve this key now: a primary has failed or a slot has no node; CLUSTER INFO and"
                        + " CLUSTER NODES on a node tell more)";
            case "CROSSSLOT" -> " (the keys are in different hash slots; give them a common {tag})";
            case "NOREPLICAS" ->
                " (fewer replicas are connected, or they lag more, than min-replicas-to-write and min-replicas-max-lag on the"
                        + " server demand; restart the replicas, or lower the setting)";
            case "BUSY" -> " (a script of another client runs for too long; try again later, or use SCRIPT KILL)";
            default -> "";
        };
    }
}
