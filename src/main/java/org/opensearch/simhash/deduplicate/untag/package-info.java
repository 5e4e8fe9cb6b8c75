/* SPDX-License-Identifier: Apache-2.0 */

/** Takes the tags of jobs back: {@code POST /_plugins/_simhash/deduplicate/{index}/untag}. */
package org.opensearch.simhash.deduplicate.untag;
