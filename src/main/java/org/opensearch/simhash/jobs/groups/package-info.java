/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Makes groups of links: reads the linked documents, ranks them by the survivor order, and compares their texts if
 * asked. Start at {@code Grouping}. Later packages write by the {@code DocumentTable}.
 */
package org.opensearch.simhash.jobs.groups;
