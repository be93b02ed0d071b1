package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.contender.Family;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The results as one page that needs nothing else: {@code page.html} with its marked places filled. */
final class HtmlReport {
    private final Report report;

    HtmlReport(Report report) {
        this.report = report;
    }

    String text() {
        Headline headline = new Headline(report.results());
        Map<String, String> places = Map.of(
                "sentence", Texts.html(headline.sentence()),
                "cards", headline.cards().stream().map(HtmlReport::card).collect(Collectors.joining()),
                "faults", faults(),
                "shapes", report.results().stream().map(HtmlReport::shape).collect(Collectors.joining()),
                "goals", report.goals().stream().map(HtmlReport::goal).collect(Collectors.joining()),
                "environment", environment(),
                "method", report.method().stream().map(HtmlReport::item).collect(Collectors.joining()),
                "json", RawNumbers.json(report));
        String page = template();
        for (Map.Entry<String, String> place : places.entrySet()) {
            page = page.replace("{{" + place.getKey() + "}}", place.getValue());
        }
        return page;
    }

    private static String template() {
        try (InputStream file = Objects.requireNonNull(HtmlReport.class.getResourceAsStream("page.html"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String card(Headline.Card card) {
        return "<div class=\"card\"><strong>" + Texts.html(card.number()) + "</strong><span>" + Texts.html(card.text())
                + "</span></div>\n";
    }

    /** What nobody should overlook. */
    private String faults() {
        return report.faults() == 0
                ? ""
                : "<p class=\"alarm\">Mutual exclusion was broken or a lease was lost " + report.faults()
                        + " times; the tables say by whom.</p>";
    }

    private static String shape(ShapeResult result) {
        StringBuilder section = new StringBuilder("<section>\n<h2>")
                .append(Texts.html(result.shape().title()))
                .append(" <code>")
                .append(Texts.html(result.shape().id()))
                .append("</code></h2>\n<p>")
                .append(Texts.html(result.shape().description()))
                .append("</p>\n");
        if (!result.figures().isEmpty()) {
            section.append("<div class=\"charts\">").append(figure(ValueChart.caption(result), ValueChart.svg(result)));
            if (LatencyChart.hasLatencies(result)) {
                section.append(figure(
                        "latency, logarithmic · ● median ○ 99th percentile · further left is better",
                        LatencyChart.svg(result)));
            }
            section.append("</div>\n<details><summary>All figures</summary>")
                    .append(table(result))
                    .append("</details>\n");
        }
        return section.append("</section>\n").toString();
    }

    private static String figure(String caption, String svg) {
        return "<figure><figcaption>" + Texts.html(caption) + "</figcaption>\n" + svg + "</figure>\n";
    }

    private static String table(ShapeResult result) {
        StringBuilder table = new StringBuilder("<div class=\"scroll\"><table>\n");
        table.append(row("th", "", ShapeTable.heading(result)));
        for (Entrant entrant : result.figures().keySet()) {
            String style = entrant.family() == Family.KEYHOLD ? " class=\"ours\"" : "";
            table.append(row("td", style, ShapeTable.row(result, entrant)));
        }
        table.append("</table></div>\n<ul class=\"absent\">");
        result.absent().forEach((entrant, why) -> table.append(item(entrant.title() + ": left out, " + why)));
        return table.append("</ul>").toString();
    }

    private static String row(String cell, String style, List<String> texts) {
        return texts.stream()
                .map(text -> "<" + cell + ">" + Texts.html(text) + "</" + cell + ">")
                .collect(Collectors.joining("", "<tr" + style + ">", "</tr>\n"));
    }

    private static String goal(Goal goal) {
        String style = goal.verdict().name().toLowerCase(Locale.ROOT);
        return row(
                "td",
                " class=\"" + style + "\"",
                List.of(goal.text(), goal.measured(), goal.verdict().text()));
    }

    private static String item(String text) {
        return "<li>" + Texts.html(text) + "</li>\n";
    }

    private String environment() {
        return report.environment().facts().entrySet().stream()
                .map(fact -> "<dt>" + Texts.html(fact.getKey()) + "</dt><dd>" + Texts.html(fact.getValue()) + "</dd>\n")
                .collect(Collectors.joining());
    }
}
