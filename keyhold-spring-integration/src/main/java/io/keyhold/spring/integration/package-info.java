/** Spring Integration on Keyhold: {@link io.keyhold.spring.integration.KeyholdLockRegistry} and {@link io.keyhold.spring.integration.KeyholdLeaderInitiator}. */
@NullMarked
package io.keyhold.spring.integration;

import org.jspecify.annotations.NullMarked;
