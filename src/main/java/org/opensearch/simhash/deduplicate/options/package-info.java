/* SPDX-License-Identifier: Apache-2.0 */

/** What a job is asked to do, as typed and as sent between nodes. Immutable values that check themselves. */
package org.opensearch.simhash.deduplicate.options;
