package io.keyhold.cli;

import io.keyhold.cli.view.Output;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints the script that completes commands and options in a shell. */
@Command(
        description = "Prints a script for bash and zsh that completes keyhold's commands and options.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(keyhold completion bash)      in ~/.bashrc",
            "  source <(keyhold completion zsh)       in ~/.zshrc"
        })
final class CompletionCommand implements Callable<Integer> {

    /** The shells, spelled as users type them. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    @SuppressWarnings("unused") // Only checked: the script is the same.
    private Shell shell = Shell.bash;

    @Mixin
    @SuppressWarnings("unused") // Read by picocli.
    private HelpOptions help = new HelpOptions();

    @Override
    public Integer call() {
        // One script for both: it detects the shell that reads it.
        new Output().line(AutoComplete.bash("keyhold", Main.allCommands()));
        return ExitCode.OK;
    }
}
