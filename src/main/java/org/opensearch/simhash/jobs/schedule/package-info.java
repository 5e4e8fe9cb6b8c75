/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Repeated runs: {@code "new_since": "last"}. A document of {@code dest} names the present run, and says what the last completed one saw.
 * One run at a time takes that document. A run that fails or dies leaves it unchanged, so the next run starts from the last completed one.
 *
 * <p>For each shard, a run saw the writes up to a sequence number, the global checkpoint. It reads the checkpoint,
 * refreshes the shards, and then opens its point in time on primaries, which has all writes up to the number. The next
 * run reads later writes. It may see a write twice, which changes nothing.
 */
package org.opensearch.simhash.jobs.schedule;
