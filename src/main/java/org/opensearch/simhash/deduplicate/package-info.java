/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The whole corpus: scan -> pairs -> groups -> tag, archive, delete. A job is one task on the node that got the request; it reads
 * through a point in time ({@code scan}), has pairs found on the data nodes ({@code join}), decides about survivors, and writes.
 */
package org.opensearch.simhash.deduplicate;
