package io.keyhold.spring.boot;

import io.keyhold.Durability;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.spring.boot.KeyholdProperties.DurabilityProperties;
import io.keyhold.spring.boot.KeyholdProperties.QuorumProperties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sets what properties say. */
final class ClientProperties {

    private static final int LONGEST_CLIENT_NAME = 64;
    private static final Pattern NOT_IN_CLIENT_NAMES = Pattern.compile("[^A-Za-z0-9._-]");

    private ClientProperties() {}

    /** Returns a builder with everything but the place. */
    static KeyholdBuilder builder(KeyholdProperties properties, @Nullable String applicationName) {
        KeyholdBuilder builder = Keyhold.builder()
                .commands(properties.commands())
                .durability(durability(properties.durability()))
                .defaults(properties.defaults().apply(LockOptions.builder()).build());
        KeyholdProperties.set(properties.keyPrefix(), builder::keyPrefix);
        KeyholdProperties.set(
                properties.clientName() != null ? properties.clientName() : clientName(applicationName),
                builder::clientName);
        properties.locks().forEach((name, lock) -> builder.lockOverrides(name, lock::apply));
        properties.semaphores().forEach((name, semaphore) -> builder.semaphoreOverrides(name, semaphore::apply));
        return builder;
    }

    /** An application may have a name that a client may not have. */
    private static @Nullable String clientName(@Nullable String applicationName) {
        if (applicationName == null || applicationName.isBlank()) {
            return null;
        }
        String name = NOT_IN_CLIENT_NAMES.matcher(applicationName).replaceAll("-");
        return name.substring(0, Math.min(name.length(), LONGEST_CLIENT_NAME));
    }

    private static Durability durability(DurabilityProperties properties) {
        if (properties.replicas() == 0) {
            return Durability.none();
        }
        Durability durability = Durability.replicas(properties.replicas());
        if (properties.longestLease() != null) {
            durability = durability.withLongestLease(properties.longestLease());
        }
        if (properties.acknowledgeTimeout() != null) {
            durability = durability.withAcknowledgeTimeout(properties.acknowledgeTimeout());
        }
        return durability.withAdmitFreshNodes(properties.admitFreshNodes());
    }

    /** Sets the place. Returns whether a property says where it is. */
    static boolean setPlace(KeyholdProperties properties, KeyholdBuilder builder) {
        if (properties.inMemory()) {
            builder.inMemory();
            return true;
        }
        if (properties.uri() != null && !properties.uris().isEmpty()) {
            throw new NoLockPlaceException(
                    "Both keyhold.uri and keyhold.uris are set.",
                    "Set keyhold.uri for one server, Sentinel or a cluster, or keyhold.uris for a quorum of independent servers.");
        }
        if (properties.uri() != null) {
            builder.uri(properties.uri());
            return true;
        }
        if (!properties.uris().isEmpty()) {
            builder.quorum(properties.uris(), quorum(properties.quorum()));
            return true;
        }
        return false;
    }

    private static QuorumOptions quorum(QuorumProperties properties) {
        QuorumOptions.Builder options = QuorumOptions.builder().admitFreshNodes(properties.admitFreshNodes());
        KeyholdProperties.set(properties.nodeTimeout(), options::nodeTimeout);
        KeyholdProperties.set(properties.longestLease(), options::longestLease);
        return options.build();
    }
}
