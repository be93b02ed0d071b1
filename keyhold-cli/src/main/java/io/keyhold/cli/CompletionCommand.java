package io.keyhold.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Prints the script that completes commands and options in a shell. */
final class CompletionCommand extends CliCommand {

    /** The shells, spelled as users type them. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    private final Argument<Shell> shell = parameter(Shell.class, "SHELL", "${COMPLETION-CANDIDATES}");

    CompletionCommand() {
        super("Prints a script for a shell that completes keyhold's commands and options.");
        examples(
                "  source <(keyhold completion bash)      in ~/.bashrc",
                "  source <(keyhold completion zsh)       in ~/.zshrc",
                "  keyhold completion fish | source       in ~/.config/fish/config.fish");
    }

    @Override
    public Integer call() {
        CommandLine all = new CommandLine(new RootCommand().spec());
        // The script for bash is for zsh too: it detects the shell that reads it.
        new Output().line(shell.get() == Shell.fish ? fish(all) : AutoComplete.bash("keyhold", all));
        return ExitCode.OK;
    }

    private static String fish(CommandLine all) {
        StringBuilder script = new StringBuilder("complete -c keyhold -f\n");
        all.getSubcommands().forEach((name, command) -> {
            CommandSpec spec = command.getCommandSpec();
            script.append("complete -c keyhold -n __fish_use_subcommand -a " + name)
                    .append(described(spec.usageMessage().description()));
            String within = "complete -c keyhold -n '__fish_seen_subcommand_from " + name + "'";
            for (OptionSpec option : spec.options()) {
                script.append(option.hidden() ? "" : within + words(option) + described(option.description()));
            }
            script.append(
                    command.getCommand() instanceof CommandUnderLock
                            ? within + " -a '(__fish_complete_subcommand)'\n"
                            : "");
        });
        return script.toString();
    }

    private static String words(OptionSpec option) {
        StringBuilder words = new StringBuilder();
        for (String name : option.names()) {
            words.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        String value = option.paramLabel().equals("FILE") ? " -rF" : " -x";
        return option.arity().max() > 0 ? words + value : words.toString();
    }

    /** Only the first sentence fits beside a word. */
    private static String described(String... description) {
        String text = String.join(" ", description);
        int end = text.indexOf(". ");
        String first = end < 0 ? text : text.substring(0, end);
        return " -d '" + first.replace("%n", " ").replace("\\", "").replace("'", "\\'") + "'\n";
    }
}
