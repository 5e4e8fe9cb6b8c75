/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Reads a point in time: fingerprints and ids of all documents as rows, page by page, and documents by their
 * addresses. All requests are searches with the caller's permissions.
 */
package org.opensearch.simhash.jobs.scan;
