package io.keyhold.spring;

import io.keyhold.HoldOptions;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/** What {@link Locked} or {@link Limited} says of one method, checked. */
record HoldSpec(
        Method method,
        String name,
        Kind kind,
        List<Template> keyTemplates,
        int permits,
        int take,
        @Nullable Duration maxWait,
        @Nullable Duration lease,
        Duration atLeast,
        OnBusy onBusy,
        @Nullable Method fallback,
        OnLoss onLoss,
        ReleaseAfter release,
        @Nullable Template condition,
        String client) {

    /** What is acquired. */
    enum Kind {
        LOCK,
        READ,
        WRITE,
        PERMITS
    }

    /** The method for messages. */
    String describe() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    boolean isReactive() {
        return ReturnTypes.isReactive(method);
    }

    boolean returnsStage() {
        return CompletionStage.class.isAssignableFrom(method.getReturnType());
    }

    /** The keys of one call, each once. */
    List<String> keys(EvaluationContext context) {
        LinkedHashSet<String> keys = new LinkedHashSet<>();
        keyTemplates.forEach(template -> template.addKeys(context, keys));
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(
                    "the keys of " + describe() + " are an empty collection; must be at least one");
        }
        if (keys.size() > 1 && kind != Kind.LOCK) {
            throw new IllegalArgumentException("the keys of " + describe()
                    + " must be one, because only plain locks can be acquired together; were " + keys);
        }
        return List.copyOf(keys);
    }

    /** Sets what the annotation says on top of the client's default options. */
    <B extends HoldOptions.Builder<B>> B apply(B options) {
        B named = options.name(name).interruptOnLoss(onLoss == OnLoss.INTERRUPT);
        Duration wait = onBusy != OnBusy.THROW && maxWait == null ? Duration.ZERO : maxWait;
        if (wait != null) {
            named = named.maxWait(wait);
        }
        return lease != null ? named.lease(lease) : named;
    }

    /** What a call returns that is skipped. */
    @Nullable
    Object skipped() {
        if (method.getReturnType() == Optional.class) {
            return Optional.empty();
        }
        return returnsStage() ? CompletableFuture.completedFuture(null) : null;
    }
}
