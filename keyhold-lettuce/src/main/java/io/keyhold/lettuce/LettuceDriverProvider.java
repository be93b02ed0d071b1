package io.keyhold.lettuce;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisDriverProvider;
import io.keyhold.spi.RedisUri;

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
}
