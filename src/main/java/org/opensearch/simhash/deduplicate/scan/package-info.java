/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Reads a point in time: fingerprints of all documents as primitive columns from doc values, page by page, and documents by their
 * addresses. All of it are ordinary searches of the caller, with the caller's permissions.
 */
package org.opensearch.simhash.deduplicate.scan;
