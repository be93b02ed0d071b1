package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The archive and the Debian package, each unpacked for a user with an empty home directory. */
@Tag("full")
@EndToEnd
final class PackagesTest {

    private static final String VERSION = Objects.requireNonNull(System.getProperty("keyhold.version"));
    private static final Path PACKAGES = Path.of(Objects.requireNonNull(System.getProperty("keyhold.cli.packages")));

    @TempDir
    private Path home = Path.of("");

    private Path unpack(String kind) {
        Path root = home.resolve("root");
        boolean deb = kind.equals("deb");
        assumeTrue(!deb || Tmux.has("dpkg"), "needs dpkg");
        Path file = PACKAGES.resolve("keyhold-" + VERSION + "." + kind);
        Launcher.Result result = Launcher.in(home)
                .bash("mkdir '" + root + "' && "
                        + (deb ? "dpkg -x '" + file + "' '" + root + "'" : "tar xzf '" + file + "' -C '" + root + "'"));
        assertThat(result.exitCode()).as(result.error()).isZero();
        return root.resolve(deb ? "usr" : "keyhold-" + VERSION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tar.gz", "deb"})
    void runsWithoutSourcesAndWritesNothingBesideItself(String kind) throws IOException {
        Path root = unpack(kind);
        List<String> before = list(root);
        Launcher keyhold = Launcher.in(home.resolve("scratch"));
        String prepare =
                "unset KEYHOLD_JAR KEYHOLD_HOME; export HOME='" + home + "'; cd; PATH='" + root + "/bin':$PATH; ";
        Launcher.Result result = keyhold.bash(prepare + "keyhold run hello --local -- echo 'one at a time'"
                + " && keyhold --version && keyhold embedded stop");
        assertThat(result.output()).isEqualTo("one at a time\nkeyhold " + VERSION + "\nstopped\n");
        assertThat(list(root)).isEqualTo(before).anyMatch(name -> name.endsWith("keyhold.jsa"));
        assertThat(keyhold.bash(prepare + "JDK_JAVA_OPTIONS=-XX:+PrintSharedArchiveAndExit keyhold --version")
                        .exitCode())
                .as("the class-data archive is valid wherever it was unpacked")
                .isZero();
    }

    @Test
    void archiveIsInstalledInEmptyHomeAsDocumented() throws IOException {
        Path page = Path.of(Objects.requireNonNull(System.getProperty("keyhold.root")), "docs", "cli.md");
        String line = Files.readString(page)
                .lines()
                .filter(each -> each.contains("tar xzf"))
                .findFirst()
                .orElseThrow();
        Launcher.Result result = Launcher.in(home.resolve("scratch"))
                .bash("unset KEYHOLD_JAR; export HOME='" + home + "'; cd '" + PACKAGES + "' && "
                        + line.replace("VERSION", VERSION) + "\n~/.local/bin/keyhold --version");
        assertThat(result).isEqualTo(new Launcher.Result(0, "keyhold " + VERSION + "\n", ""));
    }

    /** As on macOS before 12.3, readlink has no option here. */
    @Test
    void runsThroughLinks() {
        Launcher.Result result = Launcher.in(home.resolve("scratch")).bash("""
                unset KEYHOLD_JAR; cd 'HOME' && mkdir old links
                printf '#!/bin/sh\ncase "$1" in -f) exit 1 ;; esac\nexec %s "$@"\n' "$(command -v readlink)" >old/readlink
                chmod +x old/readlink
                ln -s 'ROOT/bin/keyhold' links/absolute && ln -s links/absolute keyhold && ln -s ../keyhold links/relative
                export PATH="$PWD/old:$PWD/links:$PATH"
                for each in absolute ./keyhold links/relative relative; do $each --version; done
                cd links && bash relative --version
                """.replace("HOME", home.toString())
                .replace("ROOT", unpack("tar.gz").toString()));
        assertThat(result).isEqualTo(new Launcher.Result(0, ("keyhold " + VERSION + "\n").repeat(5), ""));
    }

    private static List<String> list(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    @Test
    void manPageHasEveryOption() throws IOException {
        Path page = unpack("tar.gz").resolve("share/man/man1/keyhold.1.gz");
        String source;
        try (GZIPInputStream input = new GZIPInputStream(Files.newInputStream(page))) {
            source = new String(input.readAllBytes(), UTF_8).replace("\\-", "-");
        }
        CommandLine all = new CommandLine(new RootCommand().spec());
        for (CommandLine command : all.getSubcommands().values()) {
            assertThat(source).contains("keyhold " + command.getCommandName());
            command.getCommandSpec()
                    .options()
                    .forEach(option ->
                            assertThat(source).as(command.getCommandName()).contains(option.names()));
        }
        assumeTrue(Tmux.has("man"), "needs man");
        Launcher.Result result = Launcher.in(home).bash("LC_ALL=C.UTF-8 man --warnings -l '" + page + "' 2>&1");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("EXIT STATUS").doesNotContain("warning");
    }

    @Test
    void exampleProvesThatTheLockExcludes() {
        Launcher keyhold = Launcher.in(home.resolve("scratch"));
        Launcher.Result result =
                keyhold.bash("bash '" + unpack("tar.gz") + "/share/doc/keyhold/examples/contention.sh' 3");
        keyhold.run("embedded", "stop");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("OK: 9 entries by 3 workers");
    }

    @Test
    void fishCompletes() {
        assumeTrue(Tmux.has("fish"), "needs fish");
        Path script = unpack("tar.gz").resolve("share/fish/vendor_completions.d/keyhold.fish");
        Launcher.Result result = Launcher.in(home)
                .bash("export HOME='" + home + "'; fish --no-config -c \"source '" + script
                        + "'; complete -C 'keyhold el'; complete -C 'keyhold run --on-l'\"");
        assertThat(result.error()).isEmpty();
        assertThat(result.output().lines().map(line -> line.split("\t", -1)[0])).containsExactly("elect", "--on-lost");
    }

    @Test
    void zshLoadsTheCompletion() {
        assumeTrue(Tmux.has("zsh"), "needs zsh");
        Path folder = unpack("tar.gz").resolve("share/zsh/site-functions");
        Launcher.Result result = Launcher.in(home)
                .bash("zsh -f -c 'fpath=(\"" + folder + "\" $fpath); autoload -U compinit; compinit -u -d \"" + home
                        + "/dump\"; echo $_comps[keyhold]'");
        assertThat(result.output()).isEqualTo("_keyhold\n");
    }
}
