package io.keyhold.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The commands in the order of the help. A command is created only when it is needed. */
final class Commands {

    /** The commands that the launcher starts for a command under a lock; it has the same list. */
    static final List<String> UNDER_LOCK = List.of("run", "elect");

    private Commands() {}

    static Map<String, Supplier<Object>> all() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("run", RunCommand::new);
        commands.put("elect", ElectCommand::new);
        commands.put("acquire", AcquireCommand::new);
        commands.put("renew", RenewCommand::new);
        commands.put("release", ReleaseCommand::new);
        commands.put("ls", LsCommand::new);
        commands.put("show", ShowCommand::new);
        commands.put("doctor", DoctorCommand::new);
        commands.put("console", ConsoleCommand::new);
        commands.put("embedded", EmbeddedCommand::new);
        commands.put("completion", CompletionCommand::new);
        return commands;
    }
}
