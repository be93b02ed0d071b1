/**
 * Methods under a lock in Spring.
 *
 * <pre>{@code
 * @Configuration
 * @EnableKeyhold
 * class LockConfiguration {
 *     @Bean
 *     Keyhold keyhold() {
 *         return Keyhold.connect("redis://localhost:6379");
 *     }
 * }
 *
 * @Service
 * class Orders {
 *     @Locked("order:#{#id}")
 *     @Transactional
 *     public void ship(long id) {
 *         // The lock is held here, and until the transaction has ended.
 *     }
 * }
 * }</pre>
 *
 * @see io.keyhold.spring.Locked
 * @see io.keyhold.spring.Limited
 */
@NullMarked
package io.keyhold.spring;

import org.jspecify.annotations.NullMarked;
