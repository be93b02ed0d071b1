package io.keyhold.micrometer;

import static io.keyhold.micrometer.KeyholdObservation.High;
import static io.keyhold.micrometer.KeyholdObservation.Low;
import static io.keyhold.micrometer.KeyholdObservation.lower;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and values of {@link KeyholdObservation#HOLD}. Override a method to change them. */
public interface HoldObservationConvention extends ObservationConvention<HoldContext> {

    /** What Keyhold uses by itself. */
    HoldObservationConvention DEFAULT = new HoldObservationConvention() {};

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof HoldContext;
    }

    @Override
    default String getName() {
        return "keyhold.observed.hold";
    }

    @Override
    default String getContextualName(HoldContext context) {
        return "hold " + KeyholdObservation.subject(context.granted().request());
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(HoldContext context) {
        return KeyholdObservation.subjectValues(context.granted().request())
                .and(Low.END.withValue(
                        context.ended().map(event -> lower(event.end())).orElse(KeyholdObservation.NONE)));
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(HoldContext context) {
        return KeyholdObservation.keyValues(context.granted().request())
                .and(High.FENCING_TOKEN.withValue(
                        Long.toString(context.granted().fencingToken())));
    }
}
