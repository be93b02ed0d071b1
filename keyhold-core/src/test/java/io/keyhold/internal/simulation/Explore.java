package io.keyhold.internal.simulation;

import java.util.HashMap;
import java.util.Map;

/** By hand. */
final class Explore {
    private Explore() {}

    private static void mistakes(int most) {
        for (Mistake mistake : Mistake.values()) {
            if (System.getProperty("only") != null && !System.getProperty("only").contains(mistake.name())) continue;
            long begun = System.nanoTime();
            String found = "NOT FOUND";
            int seed = 1;
            for (; seed <= most; seed++) {
                Run.Result result = new Run(mistake.scenario(), seed, mistake, 1).go();
                if (result.violation().isPresent()) { found = result.violation().get().getMessage(); break; }
            }
            System.out.printf("%-32s %4d seeds %6d ms  %s%n", mistake, seed, (System.nanoTime() - begun) / 1000000, found.substring(0, Math.min(120, found.length())));
        }
    }

    public static void main(String[] args) {
        Scenario scenario = args[0].equals("mistakes") ? Scenario.calm(Scenario.Kind.MUTEX) : args[0].equals("calm") ? Scenario.calm(Scenario.Kind.valueOf(args[1]))
            : args[0].equals("wild") ? Scenario.wild(Scenario.Kind.valueOf(args[1]))
            : args[0].equals("stormy") ? Scenario.stormy(Scenario.Kind.valueOf(args[1]))
            : Scenario.of(Scenario.Kind.valueOf(args[1]), Scenario.Fault.valueOf(args[0]));
        if (args[0].equals("mistakes")) { mistakes(Integer.parseInt(args[2])); return; }
        long from = Long.parseLong(args[2]);
        long to = Long.parseLong(args[3]);
        int lines = args.length > 4 ? Integer.parseInt(args[4]) : 0;
        Map<String, Integer> kinds = new HashMap<>();
        long begun = System.nanoTime();
        long grants = 0, steps = 0, virtual = 0;
        int failures = 0;
        for (long seed = from; seed < to; seed++) {
            Run.Result result = new Run(scenario, seed, Mutation.NONE, Math.max(lines, 1)).go();
            grants += result.grants(); steps += result.steps(); virtual += result.virtualNanos();
            if (result.violation().isPresent()) {
                failures++;
                String message = result.violation().get().getMessage();
                if (kinds.merge(message.replaceAll("[0-9]+", "#").substring(0, Math.min(60, message.replaceAll("[0-9]+", "#").length())), 1, Integer::sum) <= 2) {
                    System.out.println(seed + ": " + message.substring(0, Math.min(250, message.length())));
                }
                if (lines > 0) { System.out.println(result.trace()); return; }
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.println(kinds);
        System.out.printf("%s: %d runs, %d failures, %.1f s, %.0f runs/min, grants/run %d, steps/run %d, virtual s/run %d%n", scenario,
            to - from, failures, seconds, (to - from) / seconds * 60, grants / (to - from), steps / (to - from), virtual / (to - from) / 1000000000);
    }
}
