package io.keyhold.benchmarks.contender;

/** Whose lock it is. */
public enum Family {
    /** What a lock costs at least: the two commands, and nothing around them. */
    FLOOR("Floor"),
    /** Ours. */
    KEYHOLD("Keyhold"),
    /** Redisson. */
    REDISSON("Redisson"),
    /** Spring Integration. */
    SPRING("Spring Integration");

    private final String title;

    Family(String title) {
        this.title = title;
    }

    /** For people. */
    public String title() {
        return title;
    }
}
