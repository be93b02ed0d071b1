package io.keyhold.tests.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;

/** Unsynchronised on purpose: two holders at a time lose an increment or see the entry of the other. */
final class Ledger {
    long entries;
    long lastFencingToken;
    String inside = "";

    void enter(Lease lease) {
        assertThat(inside).as("token of another holder").isEmpty();
        inside = lease.token();
        assertThat(lease.fencingToken()).isGreaterThan(lastFencingToken);
        lastFencingToken = lease.fencingToken();
        entries = entries + 1;
        inside = "";
    }
}
