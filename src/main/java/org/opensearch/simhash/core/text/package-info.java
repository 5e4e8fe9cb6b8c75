/* SPDX-License-Identifier: Apache-2.0 */
/** Texts before they are cut into words: one form for characters that read alike, and what spellings count as one. Knows no recipe. */
package org.opensearch.simhash.core.text;
