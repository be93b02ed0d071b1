@file:JvmName("Leases")

package io.keyhold.kotlin

import io.keyhold.Lease
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.coroutineContext

/** The [lease] of the innermost [withLock] around a coroutine, with the [outer] ones. */
public class LeaseElement internal constructor(
    public val lease: Lease,
    public val outer: LeaseElement?,
) : AbstractCoroutineContextElement(LeaseElement) {

    /** The key of the element. */
    public companion object Key : CoroutineContext.Key<LeaseElement>
}

/** Returns the lease of the innermost [withLock] around this coroutine, or null outside of any. */
public suspend fun currentLease(): Lease? = coroutineContext[LeaseElement]?.lease

/** Returns the lease with this [key] of a [withLock] around this coroutine, or null if there is none. */
public suspend fun currentLease(key: String): Lease? =
    generateSequence(coroutineContext[LeaseElement]) { it.outer }.map { it.lease }.firstOrNull { it.key() == key }
