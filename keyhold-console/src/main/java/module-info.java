/** A web page that shows every lock, its holder, its queue and its history. */
module io.keyhold.console {
    requires transitive io.keyhold;
    requires transitive io.keyhold.doctor;
    requires jdk.httpserver;
    requires static org.jspecify;

    exports io.keyhold.console;
}
