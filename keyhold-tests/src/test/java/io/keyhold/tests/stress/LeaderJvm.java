package io.keyhold.tests.stress;

import io.keyhold.ElectionOptions;
import io.keyhold.Keyhold;
import io.keyhold.LeaderElection;
import io.keyhold.tests.Setup;
import java.time.Duration;

/** A process that stands for election, and tells when it is elected and revoked. */
final class LeaderJvm implements AutoCloseable {

    static final String ROLE = "scheduler";

    /** So long that it does not end before its leader is killed, even if the machine stalls for some seconds. */
    static final Duration LEASE = Duration.ofSeconds(8);

    private final ChildJvm process;

    private LeaderJvm(ChildJvm process) {
        this.process = process;
    }

    static LeaderJvm start(String name, Setup setup, String uri) {
        return new LeaderJvm(ChildJvm.start(name, Program.class, setup.name(), uri, name));
    }

    static LeaderElection stand(Keyhold keyhold) {
        return keyhold.election(ROLE, ElectionOptions.builder().lease(LEASE).build());
    }

    /** Returns the fencing token of the next election that it wins. */
    long awaitElected() throws InterruptedException {
        return Long.parseLong(process.await("elected").split(" ", -1)[1]);
    }

    void kill() throws InterruptedException {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }

    /** The program of the process. It ends with its input. */
    static final class Program {

        private Program() {}

        /** Setup, URI and client name. */
        @SuppressWarnings("SystemOut")
        public static void main(String[] arguments) throws Exception {
            Keyhold keyhold = Setup.valueOf(arguments[0])
                    .client(arguments[1])
                    .clientName(arguments[2])
                    .build();
            stand(keyhold)
                    .onElected(token -> System.out.println("elected " + token))
                    .onRevoked(() -> System.out.println("revoked"));
            while (System.in.read() >= 0) {}
            Runtime.getRuntime().halt(0);
        }
    }
}
