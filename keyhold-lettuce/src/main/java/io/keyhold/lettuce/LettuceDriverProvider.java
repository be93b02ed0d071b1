package io.keyhold.lettuce;

import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;
import java.util.List;

/** How {@code Keyhold.connect} finds Lettuce: when it is the only driver, or by {@code ?driver=lettuce}. */
public final class LettuceDriverProvider implements RedisDriverProvider {

    /** For {@link java.util.ServiceLoader}. */
    public LettuceDriverProvider() {}

    @Override
    public String name() {
        return "lettuce";
    }

    @Override
    public int order() {
        return 200;
    }

    @Override
    public RedisDriver open(RedisUri uri) {
        return LettuceDriver.open(uri);
    }

    /** All on the same threads: what goes to all servers at once takes one wake-up then. */
    @Override
    public List<RedisDriver> openAll(List<RedisUri> uris) {
        SharedThreads threads = new SharedThreads();
        return uris.stream()
                .<RedisDriver>map(uri -> LettuceDriver.open(uri, threads))
                .toList();
    }

    /** All on the same threads, which end with the last driver. */
    @Override
    public RedisCluster openCluster(RedisUri uri) {
        ClientSettings.of(uri.forServer(uri.addresses().get(0))); // Refuses now what the first call would.
        SharedThreads threads = new SharedThreads();
        return RedisCluster.of(
                uri::addresses, node -> LettuceDriver.open(uri.forServer(node), threads), threads.join());
    }
}
