package io.keyhold.tests.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.tests.modules.ClassPath;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles snippets against the class path of the tests, and loads them. */
final class SnippetCompiler {

    private final Path classes;

    /** Puts what it compiles into this directory. */
    SnippetCompiler(Path classes) {
        this.classes = classes;
    }

    /** Returns the errors of the compiler, each with file and line of the page; empty if it compiles. */
    List<String> compile(Snippet snippet) throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options =
                List.of("-proc:none", "--release", "17", "-d", classes.toString(), "-classpath", ClassPath.text());
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(found, Locale.ROOT, UTF_8)) {
            compiler.getTask(null, manager, found, options, null, List.of(new Source(snippet)))
                    .call();
        }
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(diagnostic -> describe(snippet, diagnostic))
                .toList();
    }

    private static String describe(Snippet snippet, Diagnostic<?> diagnostic) {
        String page = snippet.place().substring(0, snippet.place().lastIndexOf(':'));
        return page + ":" + snippet.lineInPage(diagnostic.getLineNumber()) + ": " + diagnostic.getMessage(Locale.ROOT);
    }

    /** Compiled before, and now run. */
    void run(Snippet snippet) throws Exception {
        URL[] path = {classes.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, SnippetCompiler.class.getClassLoader())) {
            Class<?> type = loader.loadClass(snippet.className());
            if (SnippetPrelude.class.isAssignableFrom(type)) {
                ((SnippetPrelude) type.getDeclaredConstructor().newInstance()).snippet();
            } else {
                type.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            }
        }
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(Snippet snippet) {
            super(
                    URI.create("string:///" + snippet.className().replace('.', '/') + Kind.SOURCE.extension),
                    Kind.SOURCE);
            this.text = snippet.source();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
