package io.keyhold.doctor;

/** Whether the server is Redis 6.2 or later, whose commands Keyhold needs. */
final class VersionCheck extends ServerCheck {

    private static final int MAJOR = 6;
    private static final int MINOR = 2;

    VersionCheck(Server server) {
        super("version", server);
    }

    @Override
    Finding run() {
        String version = server.info("redis_version").orElse("0.0.0");
        String name = server.info("valkey_version").isPresent() ? "Valkey" : "Redis";
        String seen = name + " " + server.info("valkey_version").orElse(version);
        if (isEnough(version)) {
            return ok(seen);
        }
        return fail(
                seen,
                "Keyhold needs Redis 6.2 or later, or Valkey: its scripts use commands that this server does not have.",
                "Upgrade the server.");
    }

    /** Valkey reports the version of Redis with which it is compatible. */
    private static boolean isEnough(String version) {
        String[] parts = version.split("\\.", 3);
        try {
            int major = Integer.parseInt(parts[0]);
            int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
            return major > MAJOR || (major == MAJOR && minor >= MINOR);
        } catch (NumberFormatException unknownFormat) {
            return false;
        }
    }
}
