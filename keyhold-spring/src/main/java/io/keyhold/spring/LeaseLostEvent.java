package io.keyhold.spring;

import io.keyhold.LeaseLost;
import java.lang.reflect.Method;

/**
 * Published when a lock or permits of a method were lost while they were held. Listeners run on the client's callback executor, beside the method.
 *
 * @param loss what is known of the loss
 * @param name the name for metrics ({@link Locked#name})
 * @param method the method that runs, or ran, without its lock
 */
public record LeaseLostEvent(LeaseLost loss, String name, Method method) {}
