package io.keyhold.cli;

/** Says in the words of the command line what the library says in the words of its methods. */
final class OptionWords {

    /** What a message of the library begins with, and what it begins with here; the longer of two that begin alike is first. */
    private static final String[][] BEGINNINGS = {
        {"maxWait must", "--wait must"},
        {"lease must", "--lease must"},
        {"longestLease must", "--longest-lease must"},
        {"permits must be from 1 to the semaphore's", "--permits must be from 1 to the semaphore's"},
        {"permits must", "--of must"},
        {"client name must", "--label must"},
        {"token must", "--token must"},
        {"fairness STRICT", "--fair strict"},
        {
            "drivers of a quorum must be at least 1, and all different, were",
            "--redis and KEYHOLD_REDIS must not name a server twice:"
        },
    };

    /** The same for what stands further inside. */
    private static final String[][] PHRASES = {
        {"; use noExpiry() for a lock that must not expire", ""},
        {"at most longestLease (", "at most --longest-lease ("},
        {"(set admitFreshNodes(true) only if", "(use --admit-fresh-nodes only if"},
    };

    private OptionWords() {}

    /** The message for somebody who typed options. */
    static String in(String message) {
        String text = message;
        for (String[] beginning : BEGINNINGS) {
            if (text.startsWith(beginning[0])) {
                text = beginning[1] + text.substring(beginning[0].length());
                break;
            }
        }
        for (String[] phrase : PHRASES) {
            text = text.replace(phrase[0], phrase[1]);
        }
        return text;
    }
}
