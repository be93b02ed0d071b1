package io.keyhold.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A command with its options and parameters. They are declared in code: picocli reads annotations by reflection at each start, which
 * takes longer than acquiring a lock.
 */
abstract class CliCommand implements Callable<Integer> {

    private static final ISetter VERBOSE = new ISetter() {
        @Override
        public <T> T set(T enabled) {
            Diagnostics.verbose(Boolean.TRUE.equals(enabled));
            return enabled;
        }
    };

    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    CliCommand(String... description) {
        spec.usageMessage().description(description);
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help.")
                .build());
        spec.addOption(OptionSpec.builder("-v", "--verbose")
                .setter(VERBOSE)
                .description("Print details and the stack trace of an error to standard error.")
                .build());
    }

    final CommandSpec spec() {
        return spec;
    }

    /** Sets the lines below the options in the help. */
    final void examples(String... lines) {
        spec.usageMessage().footerHeading("%nExamples:%n").footer(lines);
    }

    final Argument<Boolean> flag(String name, String description) {
        return add(OptionSpec.builder(name).description(description));
    }

    final Argument<String> text(String name, String label, String description) {
        return add(OptionSpec.builder(name).type(String.class).paramLabel(label).description(description));
    }

    final Argument<Integer> number(String name, String label, String description) {
        return add(
                OptionSpec.builder(name).type(Integer.class).paramLabel(label).description(description));
    }

    final Argument<Duration> duration(String name, String description) {
        return add(OptionSpec.builder(name)
                .type(Duration.class)
                .converters(new Durations())
                .paramLabel("DURATION")
                .description(description));
    }

    final <T> Argument<T> add(OptionSpec.Builder option) {
        OptionSpec built = option.build();
        spec.addOption(built);
        return new Argument<>(built);
    }

    /** Adds a parameter that must be given once. */
    final <T> Argument<T> parameter(Class<T> type, String label, String description) {
        return add(parameterSpec(label, description).type(type).required(true));
    }

    /** Adds a parameter that may be left out. */
    final Argument<String> optionalParameter(String label, String description) {
        return add(parameterSpec(label, description).type(String.class).arity("0..1"));
    }

    /** Adds parameters of which at least one must be given. */
    final Argument<List<String>> parameters(String label, String description) {
        return add(parameterSpec(label, description)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .index("0..*")
                .arity("1..*")
                .required(true));
    }

    private static PositionalParamSpec.Builder parameterSpec(String label, String description) {
        return PositionalParamSpec.builder().index("0").paramLabel(label).description(description);
    }

    private <T> Argument<T> add(PositionalParamSpec.Builder parameter) {
        PositionalParamSpec built = parameter.build();
        spec.addPositional(built);
        return new Argument<>(built);
    }
}
