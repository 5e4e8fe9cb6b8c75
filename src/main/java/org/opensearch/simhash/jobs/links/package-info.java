/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Finds the links in a point in time: by passes on data nodes, or among given candidates. Start at {@code LinkSearch}.
 */
package org.opensearch.simhash.jobs.links;
