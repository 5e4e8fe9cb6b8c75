/* SPDX-License-Identifier: Apache-2.0 */

/** The options of a job, as typed and as sent between nodes. Immutable values that check themselves. */
package org.opensearch.simhash.jobs.options;
