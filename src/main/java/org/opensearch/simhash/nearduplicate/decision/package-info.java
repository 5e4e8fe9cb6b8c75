/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What becomes of a document: {@code Candidates} puts together what window and index found, {@code Judgement} decides by the
 * {@code DuplicateRule}, document by document.
 */
package org.opensearch.simhash.nearduplicate.decision;
