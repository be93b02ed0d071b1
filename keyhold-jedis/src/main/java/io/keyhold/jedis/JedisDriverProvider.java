package io.keyhold.jedis;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;

/** How {@code Keyhold.connect} finds Jedis. First in order, because a blocking call is fastest on it. */
public final class JedisDriverProvider implements RedisDriverProvider {

    /** For {@link java.util.ServiceLoader}. */
    public JedisDriverProvider() {}

    @Override
    public String name() {
        return "jedis";
    }

    @Override
    public int order() {
        return 100;
    }

    @Override
    public RedisDriver open(RedisUri uri) {
        return JedisDriver.open(uri);
    }
}
