/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Nodes killed at random moments of a mixed load, and the books checked after each kill: {@code target/java
 * org.opensearch.simhash.kills.RandomKills}.
 *
 * <p>{@link org.opensearch.simhash.kills.Text} says what is near, {@link org.opensearch.simhash.kills.Writer} and the other
 * clients send requests, {@link org.opensearch.simhash.kills.Reviewer} decides about groups, {@link
 * org.opensearch.simhash.kills.Rebuild} gives an alias another index, {@link org.opensearch.simhash.kills.History} keeps what was
 * asked and answered, {@link org.opensearch.simhash.kills.Remains} is what a cluster has after a kill, and {@link
 * org.opensearch.simhash.kills.Books} holds the rule that compares the two.
 */
package org.opensearch.simhash.kills;
