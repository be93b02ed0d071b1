package io.keyhold.internal.simulation;

import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.VotingNode;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store that clients use alone, or as a node of a quorum. */
interface NodeStore extends LockStore, VotingNode {

    @Override
    CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener);
}
