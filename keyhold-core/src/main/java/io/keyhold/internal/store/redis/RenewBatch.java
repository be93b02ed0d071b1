package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.HoldReply;
import io.keyhold.spi.RedisSession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Holds that are renewed together. */
interface RenewBatch {

    /** One attempt; empty if it was disturbed. */
    CompletionStage<Optional<List<HoldReply>>> attempt(RedisSession session);
}
