/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Puts the documents of a run back from the archive to where they were. An action of its own, which runs as a job does.
 */
package org.opensearch.simhash.deduplicate.restore;
