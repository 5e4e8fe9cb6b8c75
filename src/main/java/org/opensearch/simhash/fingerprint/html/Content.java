/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/** A part of a block. */
sealed interface Content permits Block, TextRun {}
