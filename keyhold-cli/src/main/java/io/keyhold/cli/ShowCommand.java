package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.cli.view.Json;
import io.keyhold.cli.view.LockJson;
import io.keyhold.cli.view.LockPage;
import io.keyhold.cli.view.Output;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows all that is known of one lock. */
@Command(
        description = {"Shows one lock: who holds it, who waits, its fencing token.", "Ends with 1 if nobody holds it."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  keyhold show invoice:42",
            "  keyhold show deploy >/dev/null || echo 'nobody deploys'",
            "  keyhold show gpu --json | jq .availablePermits"
        })
final class ShowCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "KEY", description = "The lock's key.")
    private String key = "";

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() {
        KeyRules.checkReadable(List.of(key));
        try (Keyhold keyhold = common.connection().client("keyhold-show")) {
            LockSnapshot lock = Look.at(keyhold, key);
            Optional<QuorumSnapshot> quorum = keyhold.inspect().quorum();
            new Output()
                    .lines(
                            json
                                    ? List.of(Json.pretty(object(lock, quorum)))
                                    : LockPage.of(lock, quorum, Instant.now()));
            return lock.isHeld() ? ExitCode.OK : ExitCode.NO;
        }
    }

    private static Map<String, @Nullable Object> object(LockSnapshot lock, Optional<QuorumSnapshot> quorum) {
        Map<String, @Nullable Object> object = LockJson.lock(lock);
        object.put("quorum", quorum.map(LockJson::quorum).orElse(null));
        return object;
    }
}
