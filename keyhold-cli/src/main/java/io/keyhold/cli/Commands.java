package io.keyhold.cli;

import java.util.List;

/** The commands. */
final class Commands {

    /** In the order of the help. */
    static final List<String> NAMES = List.of(
            "run", "elect", "acquire", "renew", "release", "ls", "show", "doctor", "console", "embedded", "completion");

    /** The commands that run another command under a lock. */
    static final List<String> UNDER_LOCK = List.of("run", "elect");

    private Commands() {}

    /** Creates one of them; each one takes milliseconds, so a call creates only the one that it needs. */
    static CliCommand create(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "elect" -> new ElectCommand();
            case "acquire" -> new AcquireCommand();
            case "renew" -> new RenewCommand();
            case "release" -> new ReleaseCommand();
            case "ls" -> new LsCommand();
            case "show" -> new ShowCommand();
            case "doctor" -> new DoctorCommand();
            case "console" -> new ConsoleCommand();
            case "embedded" -> new EmbeddedCommand();
            case "completion" -> new CompletionCommand();
            default -> throw new IllegalArgumentException("no command '" + name + "'");
        };
    }
}
