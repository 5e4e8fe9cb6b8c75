/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs that somebody starts again and again: {@code "new_since": "last"}. A document of {@code dest} says which run is under way, and what
 * the last completed one saw. Only one run takes that document at a time. A run that ends without success, or dies, leaves it as it
 * was, so that the next one starts from the last completed one.
 *
 * <p>What a run saw is a sequence number for each shard, the global checkpoint. It is read first. Then the shards are refreshed, and then the
 * run reads its point in time, on primaries: all writes up to the number are in it. A write that becomes visible late has a higher
 * number, or was visible. The next run looks at what was written after the number. What it has seen already it may see again, which
 * changes nothing.
 */
package org.opensearch.simhash.deduplicate.schedule;
