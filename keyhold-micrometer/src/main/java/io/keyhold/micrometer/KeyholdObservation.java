package io.keyhold.micrometer;

import io.keyhold.KeyholdListener.Request;
import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;
import java.util.Locale;

/** What {@link KeyholdObservations} observes, with the names of its values. */
public enum KeyholdObservation implements ObservationDocumentation {

    /** From a request to its grant, or to its end without one. */
    ACQUIRE {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return AcquireObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {Low.NAME, Low.KIND, Low.OUTCOME, Low.PATH};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {High.KEY, High.FENCING_TOKEN, High.ATTEMPTS};
        }
    },

    /** From a grant to the end of the hold. */
    HOLD {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return HoldObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {Low.NAME, Low.KIND, Low.END};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {High.KEY, High.FENCING_TOKEN};
        }
    };

    static final String NONE = "none";

    /** Values of which there are few: tags of meters. */
    public enum Low implements KeyName {
        /** The name of the options ({@link io.keyhold.HoldOptions#name()}), or {@code none}. */
        NAME,
        /** What was asked for. */
        KIND,
        /** {@code granted}, or why it was not granted. */
        OUTCOME,
        /** The way of the grant, or {@code none}. */
        PATH,
        /** How the hold ended. */
        END;

        @Override
        public String asString() {
            return "keyhold." + lower(this);
        }
    }

    /** Values without a bound: only in spans. */
    public enum High implements KeyName {
        /** The key, or several with commas between them. */
        KEY,
        /** The fencing token of the hold. */
        FENCING_TOKEN,
        /** How many attempts the grant took. */
        ATTEMPTS;

        @Override
        public String asString() {
            return "keyhold." + lower(this);
        }
    }

    /** For the name of a span, which should not have keys in it. */
    static String subject(Request request) {
        return request.name().orElseGet(() -> lower(request.kind()));
    }

    static KeyValues subjectValues(Request request) {
        return KeyValues.of(Low.NAME.withValue(request.name().orElse(NONE)), Low.KIND.withValue(lower(request.kind())));
    }

    static KeyValues keyValues(Request request) {
        return KeyValues.of(High.KEY.withValue(String.join(",", request.keys())));
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
