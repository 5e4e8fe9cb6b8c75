/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/** What a block contains. */
sealed interface Content permits Block, TextRun {}
