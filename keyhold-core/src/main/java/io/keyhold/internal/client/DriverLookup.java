package io.keyhold.internal.client;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds a driver among those on the class path or module path. */
final class DriverLookup {

    private DriverLookup() {}

    static RedisDriver open(RedisUri uri) {
        List<RedisDriverProvider> providers =
                ServiceLoader.load(RedisDriverProvider.class, DriverLookup.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .sorted(Comparator.comparingInt(RedisDriverProvider::order))
                        .toList();
        if (providers.isEmpty()) {
            throw new IllegalStateException(
                    "no Redis driver is on the class path: add io.keyhold:keyhold-jedis or io.keyhold:keyhold-lettuce");
        }
        String wanted = uri.driver().orElse(providers.get(0).name());
        return providers.stream()
                .filter(provider -> provider.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the URI asks for driver '" + wanted
                        + "', and on the class path are only: "
                        + providers.stream().map(RedisDriverProvider::name).collect(Collectors.joining(", "))))
                .open(uri);
    }
}
