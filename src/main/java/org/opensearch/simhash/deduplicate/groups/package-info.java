/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Makes groups of the links: reads the documents that have any, ranks them by the survivor order, compares their texts when that
 * is asked for. {@code Grouping} is the door; the {@code DocumentTable} is what later rooms write by.
 */
package org.opensearch.simhash.deduplicate.groups;
