package io.keyhold.internal.simulation;

import io.keyhold.Durability;
import io.keyhold.KeyholdClock;
import io.keyhold.internal.simulation.Scenario.Fault;
import io.keyhold.internal.simulation.Scenario.Kind;
import io.keyhold.internal.store.LockStore;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Mutants that the simulation must find, each with the scenario that shows it. */
@SuppressWarnings("ImmutableEnumChecker") // Its parts are never changed.
enum Mutant implements Mutation {
    // Of a quorum.
    HALF_IS_ENOUGH(Scenario.of(Kind.QUORUM, Fault.CUTS)) {
        @Override
        public LockStore quorum(List<NodeStore> nodes, Function<List<NodeStore>, LockStore> right, String client) {
            return WrongQuorums.halfIsEnough(nodes, right, client);
        }
    },
    VOTES_NOT_RELEASED(Scenario.calm(Kind.QUORUM)) {
        @Override
        public LockStore quorum(List<NodeStore> nodes, Function<List<NodeStore>, LockStore> right, String client) {
            return WrongQuorums.losersKeepVotes(nodes, right);
        }
    },
    NO_QUARANTINE(Scenario.of(Kind.QUORUM, Fault.AMNESIA, Fault.CUTS), WrongQuorums::withoutQuarantine),
    NO_WRITE_BACK(Scenario.of(Kind.QUORUM, Fault.CUTS, Fault.STALLS), WrongQuorums::withoutRaise),
    TOKEN_ABOVE_THE_SMALLEST_REPLY(Scenario.of(Kind.QUORUM, Fault.CUTS, Fault.STALLS)) {
        @Override
        public LockStore quorum(List<NodeStore> nodes, Function<List<NodeStore>, LockStore> right, String client) {
            return WrongQuorums.aboveTheSmallest(nodes, right);
        }
    },

    // Of a server.
    RELEASE_WITHOUT_COMPARE(Scenario.chaos(Kind.MUTEX), WrongServers::blindRelease),
    GRANT_DROPPED_ON_WITHDRAWAL(Scenario.calm(Kind.MUTEX), WrongServers::withdrawalOnlyLeavesQueue),
    ENTRY_KEPT_ON_WITHDRAWAL(Scenario.calm(Kind.MUTEX), WrongServers::withdrawalKeepsPlace),
    RENEWAL_WITHOUT_COMPARE(Scenario.chaos(Kind.MUTEX), WrongServers::blindRenewal),
    REST_IS_A_RELEASE(Scenario.calm(Kind.MUTEX), WrongServers::restlessRelease),
    REST_OF_PERMITS_IS_A_RELEASE(Scenario.calm(Kind.SEMAPHORE), "are held or rest", WrongServers::restlessRelease),
    PERMITS_RETURNED_TWICE(Scenario.chaos(Kind.SEMAPHORE), WrongServers::permitsComeBackTwice),
    READER_BESIDE_WRITER(Scenario.calm(Kind.READ_WRITE), WrongServers::readerBesideWriter),
    ALL_BUT_ONE(Scenario.calm(Kind.ALL_OF), WrongServers::allButOne),

    GRANT_PUBLISHED_BEFORE_IT_IS_MADE(Scenarios.FAILOVER_MUTEX.scenario(), "held at once") {
        @Override
        public NodeStore server(NodeStore right, SimulatedNode node) {
            return WrongServers.publishingFirst(right, node);
        }
    },
    PERMITS_PUBLISHED_BEFORE_THEY_ARE_GRANTED(Scenarios.FAILOVER_SEMAPHORE.scenario(), "held at once") {
        @Override
        public NodeStore server(NodeStore right, SimulatedNode node) {
            return WrongServers.publishingFirst(right, node);
        }
    },

    // Of a driver.
    RELEASE_ON_A_DEAD_CONNECTION(Scenarios.FORGETFUL_MUTEX.scenario(), "returned true") {
        @Override
        public boolean checksIdleConnections() {
            return false;
        }
    },
    LEASE_COUNTED_FROM_THE_LOCAL_QUEUE(Scenarios.BACKLOG_MUTEX.scenario(), "enough has been free") {
        @Override
        public LockStore store(LockStore right, KeyholdClock clock) {
            return WrongClients.countingFromLocalQueue(right);
        }
    },

    // Of durable grants.
    NOT_DURABLE(Scenarios.FAILOVER_DURABLE.scenario(), "held at once") {
        @Override
        public Durability durability(Durability right) {
            return Durability.none();
        }
    },
    GRANTS_NOT_ACKNOWLEDGED(Scenarios.FAILOVER_DURABLE.scenario()) {
        @Override
        public boolean waitsBehind(String script) {
            return !script.equals("acquire");
        }
    },
    RENEWALS_NOT_ACKNOWLEDGED(Scenarios.FAILOVER_DURABLE.scenario()) {
        @Override
        public boolean waitsBehind(String script) {
            return !script.equals("renew");
        }
    },
    NO_QUARANTINE_AFTER_PROMOTION(Scenarios.FAILOVER_DURABLE.scenario(), "held at once") {
        @Override
        public boolean comparesMarker() {
            return false;
        }
    },
    QUARANTINE_AT_FIRST_SIGHT(Scenarios.FAILOVER_DURABLE.scenario()) {
        @Override
        public boolean waitsBehind(String script) {
            return !script.equals("arm");
        }
    },

    // Of a resource.
    NO_FENCING(Scenario.of(Kind.MUTEX, Fault.PAUSES)) {
        @Override
        public boolean guards() {
            return false;
        }
    },

    // Of a client.
    NO_WAKE_UP(Scenario.calm(Kind.MUTEX)) {
        @Override
        public LockStore store(LockStore right, KeyholdClock clock) {
            return WrongClients.deaf(right);
        }
    },
    END_OF_REST_UNKNOWN(Scenario.calm(Kind.SEMAPHORE), "enough has been free") {
        @Override
        public LockStore store(LockStore right, KeyholdClock clock) {
            return WrongClients.deafToRests(right);
        }
    },
    GRANT_COUNTED_FROM_ITS_MESSAGE(Scenario.chaos(Kind.MUTEX)) {
        @Override
        public LockStore store(LockStore right, KeyholdClock clock) {
            return WrongClients.countingFromMessage(right);
        }
    },
    LEASE_COUNTED_FROM_THE_REPLY(Scenario.of(Kind.MUTEX, Fault.STALLS), "held at once") {
        @Override
        public KeyholdClock clock(KeyholdClock right) {
            return new WrongClients.SettableClock(right);
        }

        @Override
        public LockStore store(LockStore right, KeyholdClock clock) {
            return WrongClients.countingFromReply(right, (WrongClients.SettableClock) clock);
        }
    },
    LEASE_NEVER_ENDS(Scenario.of(Kind.MUTEX, Fault.STALLS)) {
        @Override
        public KeyholdClock clock(KeyholdClock right) {
            return new WrongClients.StoppedClock();
        }
    },
    END_OF_CHANNEL_UNNOTICED(Scenarios.FORGETFUL_MUTEX.scenario(), "waited through the outage") {
        @Override
        public LockStore store(LockStore right, KeyholdClock clock) {
            return WrongClients.withoutEnds(right);
        }
    },
    WAITER_FAILS_WITH_ITS_STORE(Scenarios.OUTAGE_MUTEX.scenario(), "had reached its store") {
        @Override
        public LockStore store(LockStore right, KeyholdClock clock) {
            return WrongClients.failingAtOnce(right);
        }
    },
    SILENCE_IS_RENEWAL(Scenario.chaos(Kind.MUTEX)) {
        @Override
        public LockStore store(LockStore right, KeyholdClock clock) {
            return WrongClients.takingSilenceForRenewal(right);
        }
    };

    private final Scenario scenario;
    private final String seenAs;
    private final UnaryOperator<NodeStore> server;

    Mutant(Scenario scenario) {
        this(scenario, "");
    }

    /** {@code seenAs} is part of what the violation says. */
    Mutant(Scenario scenario, String seenAs) {
        this(scenario, seenAs, node -> node);
    }

    Mutant(Scenario scenario, UnaryOperator<NodeStore> server) {
        this(scenario, "", server);
    }

    Mutant(Scenario scenario, String seenAs, UnaryOperator<NodeStore> server) {
        this.scenario = scenario;
        this.seenAs = seenAs;
        this.server = server;
    }

    Scenario scenario() {
        return scenario;
    }

    /** Whether this violation is the one to expect of it. */
    boolean isSeenAs(Violation violation) {
        return String.valueOf(violation.getMessage()).contains(seenAs);
    }

    @Override
    public NodeStore server(NodeStore right, SimulatedNode node) {
        return server.apply(right);
    }
}
