/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

/** How bad a finding is, the worst last. */
enum Severity {

    /** Near-duplicates are found, but something is not as it should be. */
    WARNING,

    /** Near-duplicates are missed, or documents are refused. */
    ERROR
}
