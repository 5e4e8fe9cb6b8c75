/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whether a document that was read survives a crash, and whether the node that shows it is still asked by anybody. A get shows a shard's
 * engine, which a crash may lose. A version is durable when every in-sync copy has it on disk: its sequence number is at most the global
 * checkpoint. A node that was paused or cut off shows what others have changed long ago: {@code PrimaryShards} says when its answer counts,
 * {@code InSyncCopies} and {@code CurrentState} prove it. {@code NodeCall} carries questions to nodes, those of windows, too.
 *
 * <p>To use, execute {@code DurabilityAction} with the versions. Drop or delete nothing for a version that is not {@code DURABLE}.
 */
package org.opensearch.simhash.arrivals.durable;
