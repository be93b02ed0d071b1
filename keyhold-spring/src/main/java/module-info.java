/** Methods under a lock in Spring. */
module io.keyhold.spring {
    requires transitive io.keyhold;
    requires static org.jspecify;
    requires static org.reactivestreams;
    requires static reactor.core;
    requires transitive spring.aop;
    requires transitive spring.beans;
    requires transitive spring.context;
    requires spring.core;
    requires spring.expression;
    requires static spring.tx;

    exports io.keyhold.spring;

    opens io.keyhold.spring to
            spring.beans,
            spring.context,
            spring.core;
}
