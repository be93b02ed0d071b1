package io.keyhold.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says where locks could live, instead of a stack trace. */
final class NoLockPlaceFailureAnalyzer extends AbstractFailureAnalyzer<NoLockPlaceException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, NoLockPlaceException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.cure(), cause);
    }
}
