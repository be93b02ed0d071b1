package io.keyhold.micrometer;

import static io.keyhold.micrometer.KeyholdObservation.High;
import static io.keyhold.micrometer.KeyholdObservation.Low;
import static io.keyhold.micrometer.KeyholdObservation.lower;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and values of {@link KeyholdObservation#ACQUIRE}. Override a method to change them. */
public interface AcquireObservationConvention extends ObservationConvention<AcquireContext> {

    /** What Keyhold uses by itself. */
    AcquireObservationConvention DEFAULT = new AcquireObservationConvention() {};

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof AcquireContext;
    }

    @Override
    default String getName() {
        return "keyhold.observed.acquire";
    }

    @Override
    default String getContextualName(AcquireContext context) {
        return "acquire " + KeyholdObservation.subject(context.request());
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(AcquireContext context) {
        String granted = context.granted().isPresent() ? "granted" : KeyholdObservation.NONE;
        return KeyholdObservation.subjectValues(context.request())
                .and(Low.OUTCOME.withValue(context.notGranted()
                        .map(event -> lower(event.outcome()))
                        .orElse(granted)))
                .and(Low.PATH.withValue(
                        context.granted().map(event -> lower(event.path())).orElse(KeyholdObservation.NONE)));
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(AcquireContext context) {
        KeyValues values = KeyholdObservation.keyValues(context.request());
        return context.granted()
                .map(event -> values.and(High.FENCING_TOKEN.withValue(Long.toString(event.fencingToken())))
                        .and(High.ATTEMPTS.withValue(Integer.toString(event.attempts()))))
                .orElse(values);
    }
}
