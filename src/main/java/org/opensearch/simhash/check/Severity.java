/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

/** The worst last. */
enum Severity {

    /** Near-duplicates are found, but something is not right. */
    WARNING,

    /** Near-duplicates are missed, or documents are refused. */
    ERROR
}
