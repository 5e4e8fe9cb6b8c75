/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Writes tags into documents and groups into an index of their own. Sends the bulk requests of all writers, also of removals and restores.
 */
package org.opensearch.simhash.jobs.write;
