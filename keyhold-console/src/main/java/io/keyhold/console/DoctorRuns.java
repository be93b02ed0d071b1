package io.keyhold.console;

import io.keyhold.doctor.Diagnosis;
import io.keyhold.doctor.Finding;
import io.keyhold.doctor.Level;
import io.keyhold.doctor.TopologyNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the doctor when its findings are asked for and older than a minute, one run at a time, on a thread of its own. */
final class DoctorRuns {

    private static final System.Logger LOG = System.getLogger("io.keyhold.console");
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final Optional<Supplier<Diagnosis>> doctor;
    private final String topology;

    // Guarded by this.
    private boolean running;
    private long endedAt;
    private long endedNanos;
    private @Nullable Diagnosis last;
    private @Nullable String failure;

    DoctorRuns(Optional<Supplier<Diagnosis>> doctor, String topology) {
        this.doctor = doctor;
        this.topology = topology;
    }

    /** Starts a run, unless one is going on or has ended lately. */
    synchronized void refresh() {
        boolean fresh = endedAt > 0 && System.nanoTime() - endedNanos < FRESH.toNanos();
        if (doctor.isEmpty() || running || fresh) {
            return;
        }
        running = true;
        Thread thread = new Thread(() -> run(doctor.get()), "keyhold-console-doctor");
        thread.setDaemon(true);
        thread.start();
    }

    /** Makes the next request run the doctor again, because the server has come back or has gone. */
    synchronized void outdate() {
        endedNanos -= FRESH.toNanos();
    }

    private void run(Supplier<Diagnosis> examination) {
        @Nullable Diagnosis diagnosis = null;
        @Nullable String error = null;
        try {
            diagnosis = examination.get();
        } catch (Throwable e) { // Also an error, such as a class that is missing: otherwise the run would never end.
            LOG.log(System.Logger.Level.WARNING, "the doctor failed", e);
            error = String.valueOf(e.getMessage());
        }
        synchronized (this) {
            last = diagnosis != null ? diagnosis : last;
            failure = error;
            running = false;
            endedAt = System.currentTimeMillis();
            endedNanos = System.nanoTime();
        }
    }

    /** Returns the number of findings that endanger locks. */
    synchronized long dangers() {
        return last == null
                ? 0
                : last.all().stream().filter(each -> each.level() == Level.FAIL).count();
    }

    synchronized Map<String, @Nullable Object> json(long now) {
        List<Map<String, @Nullable Object>> findings = new ArrayList<>();
        if (last != null) {
            boolean several = last.findings().size() > 1;
            last.findings().forEach((place, some) -> some.forEach(each -> findings.add(finding(each, several, place))));
        }
        if (failure != null) {
            findings.add(finding("warning", "The doctor failed", failure, null));
        }
        if (doctor.isEmpty()) {
            findings.add(finding(
                    "notice",
                    "Not checked",
                    "This console has no connection of its own to check the servers with.",
                    null));
        }
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("at", endedAt > 0 ? endedAt : now);
        object.put("running", running);
        object.put("findings", findings);
        Map<String, @Nullable Object> picture = new LinkedHashMap<>();
        picture.put("kind", last != null ? last.kind() : topology);
        picture.put(
                "nodes",
                last == null
                        ? List.of()
                        : last.nodes().stream().map(DoctorRuns::node).toList());
        object.put("topology", picture);
        return object;
    }

    private static Map<String, @Nullable Object> finding(Finding finding, boolean several, String place) {
        String level = switch (finding.level()) {
            case OK -> "ok";
            case WARN -> "warning";
            case FAIL -> "danger";
        };
        String detail = finding.meaning().isEmpty() ? finding.seen() : finding.seen() + ". " + finding.meaning();
        return finding(
                level,
                several ? finding.check() + " (" + place + ")" : finding.check(),
                detail,
                finding.cure().isEmpty() ? null : finding.cure());
    }

    private static Map<String, @Nullable Object> finding(
            String level, String title, String detail, @Nullable String cure) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("level", level);
        object.put("title", title);
        object.put("detail", detail);
        object.put("cure", cure);
        return object;
    }

    private static Map<String, @Nullable Object> node(TopologyNode node) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("address", node.address());
        object.put("role", node.role());
        object.put("state", node.state());
        object.put("detail", node.detail());
        return object;
    }
}
