package io.keyhold.cli.view;

import io.keyhold.console.internal.Printable;
import io.keyhold.doctor.Diagnosis;
import io.keyhold.doctor.Finding;
import io.keyhold.doctor.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The findings of the doctor on each server, as text and as JSON. */
public final class DoctorPage {

    private static final int INDENT = 21;
    private static final int WIDTH = 100;

    private final List<String> lines = new ArrayList<>();
    private final boolean colours;

    private DoctorPage(boolean colours) {
        this.colours = colours;
    }

    /** Returns the lines of the page. */
    public static List<String> of(Diagnosis diagnosis, boolean colours) {
        DoctorPage page = new DoctorPage(colours);
        diagnosis.findings().forEach((address, some) -> {
            page.lines.add(address);
            some.forEach(page::finding);
            page.lines.add("");
        });
        page.lines.add(summary(diagnosis.all()));
        return page.lines;
    }

    private void finding(Finding finding) {
        lines.add(String.format(
                Locale.ROOT,
                "  %s  %-12s %s",
                coloured(finding.level()),
                finding.check(),
                Printable.text(finding.seen())));
        wrapped(finding.meaning());
        if (!finding.cure().isEmpty()) {
            wrapped("To do: " + finding.cure());
        }
    }

    private String coloured(Level level) {
        String text = String.format(Locale.ROOT, "%-4s", level);
        String colour = switch (level) {
            case OK -> "32";
            case WARN -> "33";
            case FAIL -> "31";
        };
        return colours ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
    }

    private void wrapped(String text) {
        StringBuilder line = new StringBuilder();
        for (String word : Printable.text(text).split(" ", -1)) {
            if (line.length() > 0 && INDENT + line.length() + 1 + word.length() > WIDTH) {
                lines.add(" ".repeat(INDENT) + line);
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        if (line.length() > 0) {
            lines.add(" ".repeat(INDENT) + line);
        }
    }

    private static String summary(List<Finding> all) {
        long fails = all.stream().filter(each -> each.level() == Level.FAIL).count();
        long warnings = all.stream().filter(each -> each.level() == Level.WARN).count();
        if (fails + warnings == 0) {
            return all.size() + " checks passed";
        }
        return all.size() + " checks: " + fails + " failed, " + warnings + (warnings == 1 ? " warning" : " warnings");
    }

    /** Returns the findings as a JSON object. */
    public static Map<String, @Nullable Object> json(Diagnosis diagnosis) {
        Map<String, List<Finding>> findings = diagnosis.findings();
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("level", diagnosis.worst().name());
        object.put(
                "servers",
                findings.entrySet().stream()
                        .filter(each -> Diagnosis.isServer(each.getKey()))
                        .map(each -> server(each.getKey(), each.getValue()))
                        .toList());
        for (String group : Diagnosis.GROUPS) {
            List<Finding> some = findings.get(group);
            object.put(
                    group,
                    some == null ? null : some.stream().map(DoctorPage::json).toList());
        }
        return object;
    }

    private static Map<String, @Nullable Object> server(String address, List<Finding> findings) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("address", address);
        object.put("findings", findings.stream().map(DoctorPage::json).toList());
        return object;
    }

    private static Map<String, @Nullable Object> json(Finding finding) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("check", finding.check());
        object.put("level", finding.level().name());
        object.put("seen", finding.seen());
        object.put("meaning", finding.meaning());
        object.put("cure", finding.cure());
        return object;
    }
}
