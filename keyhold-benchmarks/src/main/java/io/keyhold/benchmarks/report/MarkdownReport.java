package io.keyhold.benchmarks.report;

import java.util.List;

/** The results as tables in Markdown. */
final class MarkdownReport {
    private final Report report;
    private final StringBuilder page = new StringBuilder();

    MarkdownReport(Report report) {
        this.report = report;
    }

    String text() {
        line("# Keyhold benchmark");
        report.results().forEach(this::shape);
        goals();
        line("");
        line("## Environment");
        line("");
        line("| | |");
        line("|---|---|");
        report.environment().facts().forEach((name, value) -> line("| " + name + " | " + value + " |"));
        line("");
        line("## How it was measured");
        line("");
        report.method().forEach(sentence -> line("- " + sentence));
        return page.toString();
    }

    private void shape(ShapeResult result) {
        line("");
        line("## " + result.shape().id() + ": " + result.shape().title());
        line("");
        line(result.shape().description());
        line("");
        if (!result.figures().isEmpty()) {
            cells(ShapeTable.heading(result));
            line("|---" + "|---:".repeat(ShapeTable.heading(result).size() - 1) + "|");
            result.figures().keySet().forEach(contender -> cells(ShapeTable.row(result, contender)));
            line("");
        }
        result.absent().forEach((contender, why) -> line("- " + contender.title() + ": not measured, " + why));
    }

    private void goals() {
        line("");
        line("## Goals");
        line("");
        cells(List.of("goal", "measured", "verdict"));
        line("|---|---:|---|");
        report.goals()
                .forEach(goal -> cells(
                        List.of(goal.text(), goal.measured(), goal.verdict().text())));
    }

    private void cells(List<String> cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
