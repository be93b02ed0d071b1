package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Runs a command while holding a lock. */
@Command(description = "Runs a command while holding a lock.")
final class RunCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(arity = "1..*")
    private List<String> words = List.of();

    @Override
    public Integer call() throws Exception {
        try (Keyhold keyhold = common.connection().client("keyhold");
                Lease lease = keyhold.lock(words.get(0)).acquire()) {
            Diagnostics.detail("holding " + lease.key());
            return new ProcessBuilder(words.subList(1, words.size()))
                    .inheritIO()
                    .start()
                    .waitFor();
        }
    }
}
