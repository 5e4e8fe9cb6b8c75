/* SPDX-License-Identifier: Apache-2.0 */

/** The index for copies of deleted documents, and the form of a copy. */
package org.opensearch.simhash.jobs.archive;
