/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whether a document that was read survives a crash. A get shows a shard's engine, which a crash may lose. A version is
 * durable when every in-sync copy has it on disk: its sequence number is at most the global checkpoint.
 *
 * <p>To use, execute {@code DurabilityAction} with the versions. Drop or delete nothing for a version that is not
 * {@code DURABLE}.
 */
package org.opensearch.simhash.durable;
