package io.keyhold.internal.simulation;

import io.keyhold.Durability;
import io.keyhold.KeyholdClock;
import io.keyhold.internal.simulation.Scenario.Fault;
import io.keyhold.internal.simulation.Scenario.Kind;
import io.keyhold.internal.store.LockStore;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Mutants that the simulation must find, each with the scenario that shows it. */
@SuppressWarnings("ImmutableEnumChecker") // Its parts are never changed.
enum Mutant {

    // Of a quorum.
    HALF_IS_ENOUGH(Scenario.of(Kind.QUORUM, Fault.CUTS), new Mutation() {
        @Override
        public LockStore quorum(List<NodeStore> nodes, Function<List<NodeStore>, LockStore> right, String client) {
            return WrongQuorums.halfIsEnough(nodes, right, client);
        }
    }),
    VOTES_NOT_RELEASED(Scenario.calm(Kind.QUORUM), quorum(WrongQuorums::losersKeepVotes)),
    NO_QUARANTINE(Scenario.of(Kind.QUORUM, Fault.AMNESIA, Fault.CUTS), server(WrongQuorums::withoutQuarantine)),
    NO_WRITE_BACK(Scenario.of(Kind.QUORUM, Fault.CUTS, Fault.STALLS), server(WrongQuorums::withoutRaise)),
    TOKEN_ABOVE_THE_SMALLEST_REPLY(
            Scenario.of(Kind.QUORUM, Fault.CUTS, Fault.STALLS), quorum(WrongQuorums::aboveTheSmallest)),

    // Of a server.
    RELEASE_WITHOUT_COMPARE(Scenario.chaos(Kind.MUTEX), server(WrongServers::blindRelease)),
    GRANT_DROPPED_ON_WITHDRAWAL(Scenario.calm(Kind.MUTEX), server(WrongServers::withdrawalOnlyLeavesQueue)),
    ENTRY_KEPT_ON_WITHDRAWAL(Scenario.calm(Kind.MUTEX), server(WrongServers::withdrawalKeepsPlace)),
    RENEWAL_WITHOUT_COMPARE(Scenario.chaos(Kind.MUTEX), server(WrongServers::blindRenewal)),
    REST_IS_A_RELEASE(Scenario.calm(Kind.MUTEX), server(WrongServers::restlessRelease)),
    REST_OF_PERMITS_IS_A_RELEASE(
            Scenario.calm(Kind.SEMAPHORE), "are held or rest", server(WrongServers::restlessRelease)),
    PERMITS_RETURNED_TWICE(Scenario.chaos(Kind.SEMAPHORE), server(WrongServers::permitsComeBackTwice)),
    READER_BESIDE_WRITER(Scenario.calm(Kind.READ_WRITE), server(WrongServers::readerBesideWriter)),
    ALL_BUT_ONE(Scenario.calm(Kind.ALL_OF), server(WrongServers::allButOne)),
    GRANT_PUBLISHED_BEFORE_IT_IS_MADE(Scenarios.FAILOVER_MUTEX.scenario(), "held at once", publishingFirst()),
    PERMITS_PUBLISHED_BEFORE_THEY_ARE_GRANTED(
            Scenarios.FAILOVER_SEMAPHORE.scenario(), "held at once", publishingFirst()),

    // Of a driver.
    RELEASE_ON_A_DEAD_CONNECTION(Scenarios.FORGETFUL_MUTEX.scenario(), "returned true", new Mutation() {
        @Override
        public boolean checksIdleConnections() {
            return false;
        }
    }),
    LEASE_COUNTED_FROM_THE_LOCAL_QUEUE(
            Scenarios.BACKLOG_MUTEX.scenario(), "enough has been free", client(WrongClients::countingFromLocalQueue)),

    // Of durable grants.
    NOT_DURABLE(Scenarios.FAILOVER_DURABLE.scenario(), "held at once", new Mutation() {
        @Override
        public Durability durability(Durability right) {
            return Durability.none();
        }
    }),
    GRANTS_NOT_ACKNOWLEDGED(Scenarios.FAILOVER_DURABLE.scenario(), withoutWaitBehind("acquire")),
    RENEWALS_NOT_ACKNOWLEDGED(Scenarios.FAILOVER_DURABLE.scenario(), withoutWaitBehind("renew")),
    NO_QUARANTINE_AFTER_PROMOTION(Scenarios.FAILOVER_DURABLE.scenario(), "held at once", new Mutation() {
        @Override
        public boolean comparesMarker() {
            return false;
        }
    }),
    QUARANTINE_AT_FIRST_SIGHT(Scenarios.FAILOVER_DURABLE.scenario(), withoutWaitBehind("arm")),

    // Of a resource.
    NO_FENCING(Scenario.of(Kind.MUTEX, Fault.PAUSES), new Mutation() {
        @Override
        public boolean guards() {
            return false;
        }
    }),

    // Of a client.
    NO_WAKE_UP(Scenario.calm(Kind.MUTEX), client(WrongClients::deaf)),
    END_OF_REST_UNKNOWN(Scenario.calm(Kind.SEMAPHORE), "enough has been free", client(WrongClients::deafToRests)),
    GRANT_COUNTED_FROM_ITS_MESSAGE(Scenario.chaos(Kind.MUTEX), client(WrongClients::countingFromMessage)),
    LEASE_COUNTED_FROM_THE_REPLY(Scenario.of(Kind.MUTEX, Fault.STALLS), "held at once", new Mutation() {
        @Override
        public KeyholdClock clock(KeyholdClock right) {
            return new WrongClients.SettableClock(right);
        }

        @Override
        public LockStore store(LockStore right, KeyholdClock clock) {
            return WrongClients.countingFromReply(right, (WrongClients.SettableClock) clock);
        }
    }),
    LEASE_NEVER_ENDS(Scenario.of(Kind.MUTEX, Fault.STALLS), new Mutation() {
        @Override
        public KeyholdClock clock(KeyholdClock right) {
            return new WrongClients.StoppedClock();
        }
    }),
    END_OF_CHANNEL_UNNOTICED(
            Scenarios.FORGETFUL_MUTEX.scenario(), "waited through the outage", client(WrongClients::withoutEnds)),
    WAITER_FAILS_WITH_ITS_STORE(
            Scenarios.OUTAGE_MUTEX.scenario(), "had reached its store", client(WrongClients::failingAtOnce)),
    SILENCE_IS_RENEWAL(Scenario.chaos(Kind.MUTEX), client(WrongClients::takingSilenceForRenewal));

    private final Scenario scenario;
    private final String seenAs;
    private final Mutation mutation;

    Mutant(Scenario scenario, Mutation mutation) {
        this(scenario, "", mutation);
    }

    /** {@code seenAs} is part of what the violation says. */
    Mutant(Scenario scenario, String seenAs, Mutation mutation) {
        this.scenario = scenario;
        this.seenAs = seenAs;
        this.mutation = mutation;
    }

    private static Mutation server(UnaryOperator<NodeStore> wrong) {
        return new Mutation() {
            @Override
            public NodeStore server(NodeStore right, SimulatedNode node) {
                return wrong.apply(right);
            }
        };
    }

    private static Mutation publishingFirst() {
        return new Mutation() {
            @Override
            public NodeStore server(NodeStore right, SimulatedNode node) {
                return WrongServers.publishingFirst(right, node);
            }
        };
    }

    private static Mutation client(UnaryOperator<LockStore> wrong) {
        return new Mutation() {
            @Override
            public LockStore store(LockStore right, KeyholdClock clock) {
                return wrong.apply(right);
            }
        };
    }

    private static Mutation quorum(BiFunction<List<NodeStore>, Function<List<NodeStore>, LockStore>, LockStore> wrong) {
        return new Mutation() {
            @Override
            public LockStore quorum(List<NodeStore> nodes, Function<List<NodeStore>, LockStore> right, String client) {
                return wrong.apply(nodes, right);
            }
        };
    }

    private static Mutation withoutWaitBehind(String unacknowledged) {
        return new Mutation() {
            @Override
            public boolean waitsBehind(String script) {
                return !script.equals(unacknowledged);
            }
        };
    }

    Scenario scenario() {
        return scenario;
    }

    Mutation mutation() {
        return mutation;
    }

    /** Whether this violation is the one to expect of it. */
    boolean isSeenAs(Violation violation) {
        return String.valueOf(violation.getMessage()).contains(seenAs);
    }
}
