/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whether the plugin fits the OpenSearch that runs it. One zip is for all releases from 3.6.0 on. {@link
 * org.opensearch.simhash.desk.release.NodeRelease} refuses what a newer release than the tested ones has no place for, and
 * {@link org.opensearch.simhash.desk.release.MissingMembers} finds it.
 */
package org.opensearch.simhash.desk.release;
