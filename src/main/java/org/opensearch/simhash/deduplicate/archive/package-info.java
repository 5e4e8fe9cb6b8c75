/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Where copies of removed documents are kept: an index that has its replicas and keeps whole documents, and what a copy looks like
 * in it.
 */
package org.opensearch.simhash.deduplicate.archive;
