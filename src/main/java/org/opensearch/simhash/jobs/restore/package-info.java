/* SPDX-License-Identifier: Apache-2.0 */

/** Puts the deleted documents of a run back. Runs like a job. */
package org.opensearch.simhash.jobs.restore;
