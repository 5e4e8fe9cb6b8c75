/* SPDX-License-Identifier: Apache-2.0 */

/** The order of documents, those that are kept apart, and the ids of groups, which outlive their survivors. */
package org.opensearch.simhash.core.groups;
