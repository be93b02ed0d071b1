package io.keyhold.internal.client;

import io.keyhold.internal.topology.SentinelDriver;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds a driver among those on the class path or module path. */
final class DriverLookup {

    private DriverLookup() {}

    /** Opens the driver for a server, or for the master that sentinels name. */
    static RedisDriver open(RedisUri uri) {
        RedisDriverProvider provider = provider(uri, providers());
        if (uri.topology() != RedisUri.Topology.SENTINEL) {
            return provider.open(uri);
        }
        List<RedisDriver> sentinels =
                provider.openAll(uri.addresses().stream().map(uri::forSentinel).toList());
        return new SentinelDriver(
                uri.masterName().orElseThrow(), sentinels, server -> provider.open(uri.forServer(server)));
    }

    /** Returns what opens drivers for the nodes of the cluster at this URI. */
    static RedisCluster openCluster(RedisUri uri) {
        return provider(uri, providers()).openCluster(uri);
    }

    /** If the same driver is for all of them, it may let them share what it has. */
    static List<RedisDriver> openAll(List<RedisUri> uris) {
        List<RedisDriverProvider> providers = providers();
        List<RedisDriverProvider> chosen =
                uris.stream().map(uri -> provider(uri, providers)).toList();
        if (chosen.stream().distinct().count() == 1) {
            return chosen.get(0).openAll(uris);
        }
        List<RedisDriver> drivers = new ArrayList<>();
        try {
            for (int i = 0; i < uris.size(); i++) {
                drivers.add(chosen.get(i).open(uris.get(i)));
            }
        } catch (RuntimeException e) {
            drivers.forEach(RedisDriver::close);
            throw e;
        }
        return drivers;
    }

    private static List<RedisDriverProvider> providers() {
        List<RedisDriverProvider> providers =
                ServiceLoader.load(RedisDriverProvider.class, DriverLookup.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .sorted(Comparator.comparingInt(RedisDriverProvider::order))
                        .toList();
        if (providers.isEmpty()) {
            throw new IllegalStateException(
                    "no Redis driver is on the class path: add io.keyhold:keyhold-jedis or io.keyhold:keyhold-lettuce");
        }
        return providers;
    }

    private static RedisDriverProvider provider(RedisUri uri, List<RedisDriverProvider> providers) {
        String wanted = uri.driver().orElse(providers.get(0).name());
        for (RedisDriverProvider provider : providers) {
            if (provider.name().equals(wanted)) {
                return provider;
            }
        }
        throw new IllegalArgumentException("the URI names driver '" + wanted + "', but the class path has only: "
                + providers.stream().map(RedisDriverProvider::name).collect(Collectors.joining(", ")));
    }
}
